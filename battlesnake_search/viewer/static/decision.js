// Why a snake moved as it did: all that its player reported of one decision.

import { html, styled } from "./dom.js";
import { ARROWS, countText, counted, faultText, millisecondsText, MISSING, outcomeText, scoreText, stopText } from "./words.js";

const SCALE = "Scores go from −1 (lost) to 1 (won). ≤ is at most: the search saw that the move is no better, and looked no further.";

export class DecisionPanel {
  /** `chosen` marks the move that was chosen. */
  constructor(chosen = "played") {
    this.chosen = chosen;
    this.heading = html("h2", {});
    this.content = html("div", {});
    this.element = html("section", { class: "decision", "data-part": "decision", "aria-label": "Decision" }, this.heading, this.content);
  }

  show(game, looks, snake, number) {
    const { decision, age } = game.newest(snake, number);
    styled(this.element, "--colour", looks[snake].colour);
    this.heading.replaceChildren(html("span", { class: "swatch" }), ...this.title(looks[snake].name, decision, number - age));
    this.content.replaceChildren(...(decision ? this.reported(game, looks, snake, decision) : [this.missing(game, snake, number)]));
  }

  title(name, decision, number) {
    const move = decision ? `: ${ARROWS[decision.move]} ${decision.move}` : "";
    const fault = faultText(decision);
    const turn = decision ? [html("span", { class: "note" }, `in turn ${number}`)] : [];
    return [html("span", { class: "name" }, name + move), ...turn, ...(fault ? [html("span", { class: "fault" }, fault)] : [])];
  }

  missing(game, snake, number) {
    return html("p", { class: "note" }, game.snake(snake, number) ? absence(game, snake, number) : "Dead: nothing to decide.");
  }

  reported(game, looks, snake, decision) {
    const searched = decision.source !== "reflex";
    const parts = [facts(decision)];
    if (decision.moves?.length) {
      parts.push(html("h3", {}, "Candidates"), candidates(decision, this.chosen), html("p", { class: "note" }, SCALE));
    }
    if (decision.pv?.length) {
      parts.push(html("h3", {}, "Expected line"), expectedLine(game, looks, snake, decision));
    } else if (searched && decision.moves?.length) {
      parts.push(html("p", { class: "note" }, "No line was reported."));
    }
    return parts;
  }
}

/** Why a living snake has no decision. */
function absence(game, snake, number) {
  if (["imported", "running"].includes(game.data.source)) {
    return "This game was imported: nothing is known of what the snakes thought.";
  }
  if (game.snakes[snake].ours === false) {
    return "What other players think is not known.";
  }
  if (number === game.last) {
    return game.over ? "The game is over." : "Thinking …";
  }
  return "No decision was recorded for this turn.";
}

/** The numbers of a decision that are known. */
function facts(decision) {
  const known = {
    strategy: decision.strategy,
    score: scoreText(decision.score),
    outcome: outcomeText(decision.outcome),
    depth: decision.depth ? counted(decision.depth, "turn") : null,
    nodes: decision.nodes ? countText(decision.nodes) : null,
    "nodes/s": decision.nodes && decision.time_ms ? countText((decision.nodes * 1000) / decision.time_ms) : null,
    "time used": timeText(decision),
    "time left": decision.left_ms === null || decision.left_ms === undefined ? null : millisecondsText(decision.left_ms, 0),
    "stopped by": decision.stop ? stopText(decision) : null,
    source: decision.source,
  };
  const shown = Object.entries(known).filter(([, words]) => words && words !== MISSING);
  return html("dl", { class: "figures" }, ...shown.map(([name, words]) => {
    return html("div", {}, html("dt", {}, name), html("dd", { "data-fact": name }, words));
  }));
}

function timeText({ time_ms: time, budget_ms: budget }) {
  return budget ? `${millisecondsText(time, 0)} of ${millisecondsText(budget, 0)}` : millisecondsText(time);
}

/** The root moves as a table, best first, with a bar from the middle for each score. */
function candidates(decision, chosen) {
  const head = ["move", "score", "", "depth"].map((name) => {
    return name ? html("th", { scope: "col" }, name) : html("td", { "aria-hidden": "true" });
  });
  const rows = decision.moves.map((each) => candidate(each, each.move === decision.move ? chosen : ""));
  return html("table", { class: "candidates" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}

function candidate({ move, score, depth, outcome, exact }, chosen) {
  const bound = exact === false ? "≤ " : "";
  const words = outcomeText(outcome) ?? bound + scoreText(score);
  const bar = html("span", { class: score < 0 ? "bar bad" : "bar good" });
  styled(bar, "--share", Math.min(Math.abs(score ?? 0), 1));
  const name = html("th", { scope: "row" }, `${ARROWS[move]} ${move}`, ...(chosen ? [html("span", { class: "played" }, chosen)] : []));
  const said = html("td", { class: "words" }, words);
  if (bound) {
    said.title = "at most: the search has cut this move off";
  }
  const cells = [said, html("td", { class: "bars", "aria-hidden": "true" }, bar), html("td", {}, String(depth ?? MISSING))];
  return html("tr", { "data-move": move, class: chosen ? "chosen" : "" }, name, ...cells);
}

/** Where each snake is expected to go, the thinker first. */
function expectedLine(game, looks, snake, decision) {
  const lines = game.movesByPv(decision.pv);
  const order = [snake, ...lines.keys()].filter((each, place, all) => all.indexOf(each) === place && lines[each].length);
  return html("ul", { class: "lines" }, ...order.map((each) => {
    const item = html("li", {}, html("span", { class: "swatch" }), html("span", { class: "name" }, looks[each].name));
    item.append(html("span", { class: "moves" }, lines[each].join(", ")));
    return styled(item, "--colour", looks[each].colour);
  }));
}
