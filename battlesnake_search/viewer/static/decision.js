// Why a snake moved as it did: all that its player reported of one decision. Its parts keep their places from turn to turn.

import { html, refill, styled } from "./dom.js";
import { ARROWS, countText, counted, faultText, millisecondsText, MISSING, ownScore, outcomeText, scoreText, stopText, worthText } from "./words.js";

const SCALE = "Scores of this search: −1 lost, 1 won, ≤ at most. On the board, L26 is a proven loss in 26 turns.";

/** The most turns of an expected line that have a column. */
const LONGEST_LINE = 40;

export class DecisionPanel {
  /**
   * `chosen` marks the move that was chosen. `onStep` is called with {game, number, pv, count, opens}: the expected line
   * from a turn on, the number of its turns after which the reader looks (0: no longer), and whether the line is to be
   * opened. Without `onStep` the line is text.
   */
  constructor({ chosen = "played", onStep = null } = {}) {
    this.chosen = chosen;
    this.onStep = onStep;
    this.heading = html("h2", {});
    this.content = html("div", {});
    this.element = html("section", { class: "decision", "data-part": "decision", "aria-label": "Decision" }, this.heading, this.content);
  }

  show(game, looks, snake, number) {
    const { decision, age } = game.newest(snake, number);
    const { name, colour } = looks[snake] ?? { name: "No snake", colour: "var(--muted)" };
    styled(this.element, "--colour", colour);
    const note = decision ? `in turn ${number - age}` : missingText(game, snake, number);
    refill(this.heading, html("span", { class: "swatch" }), ...title(name, decision, note));
    const turn = { game, looks, snake, number: number - age };
    // The numbers keep their place on the turns without a decision, so that nothing jumps while the turns go by.
    refill(this.content, ...(game.decides(snake) ? this.reported(turn, decision ?? {}) : []));
  }

  reported(turn, decision) {
    const { game, looks, snake, number } = turn;
    return [
      facts(decision, this.chosen),
      candidates(decision, this.chosen),
      html("p", { class: "note scale" }, SCALE),
      html("h3", {}, "Expected line"),
      expectedLine(turn, decision, this.onStep),
      ...(game.snakes.length > 1 && this.chosen === "played" ? [html("h3", {}, "Were the others foreseen?"), foreseen(game, looks, snake, number)] : []),
    ];
  }
}

function title(name, decision, note) {
  const move = decision?.move ? `: ${ARROWS[decision.move]} ${decision.move}` : "";
  const fault = faultText(decision);
  return [html("span", { class: "name" }, name + move), html("span", { class: "note" }, note), ...(fault ? [html("span", { class: "fault" }, fault)] : [])];
}

/** Why a snake has no decision in a turn. */
function missingText(game, snake, number) {
  if (!game.snake(snake, number)) {
    return game.snakes[snake] ? "Dead: nothing to decide." : "There is no snake on the board.";
  }
  if (game.data.source === "analysis") {
    return "This turn was not played in the game.";
  }
  if (["imported", "running"].includes(game.data.source)) {
    return "This game was imported: nothing is known of what the snakes thought.";
  }
  if (game.snakes[snake].ours === false) {
    return "What other players think is not known.";
  }
  if (number === game.last) {
    return game.live ? "Thinking …" : "The game is over.";
  }
  return "No decision was recorded for this turn.";
}

/** The numbers of a decision, the score first. */
function facts(decision, chosen) {
  const source = decision.source && decision.source !== "search" ? decision.source : "";
  const known = {
    score: outcomeText(decision.outcome) ?? scoreText(ownScore(decision)),
    depth: decision.depth ? counted(decision.depth, "turn") : null,
    nodes: countText(decision.nodes),
    "nodes/s": decision.nodes && decision.time_ms ? countText((decision.nodes * 1000) / decision.time_ms) : null,
    "time used": decision.source === undefined ? null : timeText(decision),
    ...(chosen === "played" ? { "time left": millisecondsText(decision.left_ms, 0) } : {}),
    "stopped by": [decision.stop ? stopText(decision) : "", source].filter(Boolean).join(", "),
    strategy: decision.strategy,
  };
  return html("dl", { class: "figures" }, ...Object.entries(known).map(([name, words]) => {
    const value = html("dd", { "data-fact": name, title: words || "" }, words || MISSING);
    return html("div", {}, html("dt", {}, name), value);
  }));
}

function timeText({ time_ms: time, budget_ms: budget }) {
  return budget ? `${Math.round(time).toLocaleString("en")} of ${millisecondsText(budget, 0)}` : millisecondsText(time);
}

/** The root moves as a table, best first, with a bar from the middle for each score. All four moves have a row. */
function candidates(decision, chosen) {
  const head = ["move", "score", "", "depth"].map((name) => {
    return name ? html("th", { scope: "col" }, name) : html("td", { "aria-hidden": "true" });
  });
  const moves = decision.moves ?? [];
  const others = Object.keys(ARROWS).filter((move) => !moves.some((each) => each.move === move));
  const rows = moves.map((each) => candidate(each, each.move === decision.move ? chosen : ""));
  rows.push(...others.map((move) => unsearched(move, move === decision.move ? chosen : "")));
  return html("table", { class: "candidates" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}

function moveCell(move, chosen) {
  return html("th", { scope: "row" }, `${ARROWS[move]} ${move}`, ...(chosen ? [html("span", { class: "played" }, chosen)] : []));
}

function candidate(each, chosen) {
  const { move, score, depth, exact } = each;
  const bar = styled(html("span", { class: score < 0 ? "bar bad" : "bar good" }), "--share", Math.min(Math.abs(score ?? 0), 1));
  bar.classList.toggle("bound", exact === false);
  const said = html("td", { class: "words" }, worthText(each));
  if (exact === false) {
    said.title = "at most: the search has cut this move off";
  }
  const cells = [said, html("td", { class: "bars", "aria-hidden": "true" }, bar), html("td", {}, String(depth ?? MISSING))];
  return html("tr", { "data-move": move, class: chosen ? "chosen" : "" }, moveCell(move, chosen), ...cells);
}

function unsearched(move, chosen) {
  const cells = [MISSING, "", MISSING].map((words) => html("td", {}, words));
  return html("tr", { class: chosen ? "chosen" : "unsearched" }, moveCell(move, chosen), ...cells);
}

/** Where each snake is expected to go: a row for each snake, the thinker first, and a column for each turn. */
function expectedLine({ game, looks, snake, number }, decision, onStep) {
  const lines = game.movesByPv(decision.pv ?? []);
  const length = Math.min(Math.max(...lines.map((moves) => moves.length), 0), LONGEST_LINE);
  const order = [snake, ...lines.keys()].filter((each, place, all) => all.indexOf(each) === place);
  const go = (count, opens) => onStep({ game, number, pv: decision.pv, count, opens });
  const head = [...Array(length).keys()].map((step) => html("th", { scope: "col" }, onStep ? stepButton(number, step, go) : String(number + step)));
  const rows = order.map((each) => {
    const cells = lines[each].slice(0, length).map((move) => html("td", { title: move }, ARROWS[move]));
    const row = html("tr", { "data-line": each }, whoCell(looks[each]), ...(cells.length ? cells : [html("td", { class: "note" }, MISSING)]));
    return styled(row, "--colour", looks[each].colour);
  });
  const table = html("table", { class: "lines" }, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "turn"), ...head)), html("tbody", {}, ...rows));
  return html("div", { class: "scroll steady", tabindex: 0, role: "group", "aria-label": "Expected line", "data-key": "line" }, table);
}

/**
 * A turn of the expected line: its position is shown when the pointer or the focus moves there, and opened by a click.
 *
 * A button that is drawn again under a pointer or a focus at rest shows nothing.
 */
function stepButton(number, step, go) {
  const words = { type: "button", class: "step", "data-key": `step-${step}`, "aria-label": `Open the expected position after turn ${number + step}` };
  const button = html("button", words, String(number + step));
  button.addEventListener("click", () => go(step + 1, true));
  let entered = false;
  button.addEventListener("pointermove", () => {
    if (!entered) {
      entered = true;
      go(step + 1, false);
    }
  });
  button.addEventListener("pointerleave", () => (entered = false));
  button.addEventListener("focus", () => "again" in button.dataset || go(step + 1, false));
  ["pointerleave", "blur"].forEach((name) => button.addEventListener(name, () => go(0, false)));
  return button;
}

function whoCell({ name, full }) {
  return html("th", { scope: "row", class: "who", title: full ?? name }, html("span", { class: "swatch" }), html("span", { class: "name" }, name));
}

/** The move that the chosen snake's search expected of each other snake, the move that it made, and how often both agreed. */
function foreseen(game, looks, snake, number) {
  const head = ["snake", "expected", "made", "foreseen"].map((words) => html("th", { scope: "col" }, words));
  const rows = [...game.snakes.keys()].filter((other) => other !== snake).map((other) => {
    const [expected, made] = [game.expected(snake, other, number), game.made(other, number)];
    const words = [expected, made].map((move) => (move ? `${ARROWS[move]} ${move}` : MISSING));
    const { right, all } = game.foreseen(snake, other);
    const often = all ? `${Math.round((100 * right) / all)} % of ${all}` : MISSING;
    const agree = expected && made ? (expected === made ? "right" : "wrong") : "";
    const cells = [html("td", {}, words[0]), html("td", { class: agree }, words[1]), html("td", {}, often)];
    return styled(html("tr", { "data-foreseen": other }, whoCell(looks[other]), ...cells), "--colour", looks[other].colour);
  });
  return html("table", { class: "foreseen" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}
