// One strategy on the position: its search depth by depth, the result, and its evaluator's terms.

import { DecisionPanel } from "/viewer/decision.js";
import { html, refill, styled, tell } from "/viewer/dom.js";
import { ARROWS, countText, millisecondsText, outcomeText, scoreText } from "/viewer/words.js";
import { Problem, swatch, wordsOf } from "../console.js";
import { analyze, evaluate } from "./api.js";
import { numberText, StrategyForm } from "./strategy.js";

const PAUSE = 250;
const FRAME = 100;
const HEAD = ["depth", "move", "score", "nodes", "time"];
const MOST_KEPT = 300;
const MOST_ROWS = 100;

/** How often and after how many milliseconds a search is asked for again, while former searches of the page are ending. */
const AGAIN = [5, 400];
const COMPILING = "still compiling";

export class Column {
  /** `onStep` is for the expected line; `changed` is called after each depth and each change of the strategy. */
  constructor(name, { onStep, changed }) {
    this.changed = changed;
    this.kept = new Map();
    this.form = new StrategyForm(() => this.restart());
    this.terms = new Terms();
    this.terms.element.addEventListener("toggle", () => this.evaluateSoon());
    this.rows = html("tbody", {});
    const head = html("thead", {}, html("tr", {}, ...HEAD.map((words) => html("th", { scope: "col" }, words))));
    const scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Depths of ${name}` }, html("table", { class: "candidates" }, head, this.rows));
    this.depths = html("details", { class: "depths" }, html("summary", {}, "Depth by depth"), scroll);
    this.panel = new DecisionPanel({ chosen: "best", onStep });
    this.panel.element.setAttribute("aria-label", `Result of ${name}`);
    this.state = html("p", { class: "note", role: "status", "data-part": "state" });
    this.problem = html("p", { class: "problem", role: "alert" });
    this.strategy = html("details", { class: "strategy" }, html("summary", {}, "Strategy"), this.form.element);
    const attributes = { class: "column", "aria-label": name, "data-part": "column" };
    this.element = html("section", attributes, this.strategy, this.panel.element, this.problem, this.state, this.depths, this.terms.element);
  }

  get running() {
    return Boolean(this.aborter);
  }

  get decision() {
    return this.found?.decisions[0] ?? null;
  }

  /** Takes a question about another position, null without one. With `goesOn`, a search without an end starts soon. */
  ask(question, goesOn) {
    const key = question && JSON.stringify({ ...question, ...this.form.value });
    if (key === this.key && goesOn === this.goesOn) {
      return;
    }
    if (key !== this.key) {
      this.stop();
      this.evaluateSoon();
      tell(this.problem, "");
      tell(this.state, "");
    }
    const kept = this.kept.get(key) ?? null;
    Object.assign(this, { question, key, found: goesOn && !this.goesOn && kept?.failed ? null : kept, goesOn });
    this.showRows();
    clearTimeout(this.timer);
    if (goesOn && question && !this.found?.ended && !this.running) {
      this.timer = setTimeout(() => this.start(), PAUSE);
    }
    if (!goesOn && this.running) {
      this.stop();
      this.state.textContent = "Stopped.";
    }
  }

  restart() {
    this.ask(this.question ?? null, this.goesOn);
    this.changed();
  }

  stop() {
    this.aborter?.abort();
    this.aborter = null;
  }

  async start() {
    const aborter = (this.aborter = new AbortController());
    const { question, key } = this;
    const found = { decisions: [], ended: false };
    this.keep(key, found);
    try {
      await this.search({ ...question, ...this.form.value }, found, aborter.signal);
    } catch (error) {
      if (error.name !== "AbortError" && this.key === key) {
        const words = wordsOf(error);
        this.problem.textContent = words.startsWith(COMPILING) ? `${words}. Try again in a while.` : words;
        found.ended = found.failed = true;
      }
    }
    if (this.aborter === aborter) {
      this.aborter = null;
      this.changed();
    }
  }

  async search(question, found, signal, times = AGAIN[0]) {
    try {
      for await (const { name, data } of analyze(question, signal)) {
        if (name === "error") {
          throw new Problem(data.error);
        }
        this.add(found, data, name === "final");
      }
    } catch (error) {
      if (error.status !== 429 || !times) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN[1]));
      signal.throwIfAborted();
      await this.search(question, found, signal, times - 1);
    }
  }

  /** Keeps the newest results, so that a position that is shown again needs no search. */
  keep(key, found) {
    this.kept.set(key, found);
    if (this.kept.size > MOST_KEPT) {
      this.kept.delete(this.kept.keys().next().value);
    }
    this.found = found;
  }

  add(found, decision, final) {
    if (found.decisions[0]?.depth === decision.depth) {
      found.decisions.shift();
    }
    found.decisions.unshift(decision);
    found.ended = final;
    if (found === this.found && final) {
      this.draw();
      const worth = outcomeText(decision.outcome) ?? scoreText(decision.score);
      tell(this.state, `The search has ended: ${decision.move ?? "no move"}, ${worth}, depth ${decision.depth}.`);
    } else if (found === this.found) {
      this.drawing ??= setTimeout(() => this.draw(), FRAME);
    }
  }

  /** Shows the newest depth. The first depths follow each other faster than anybody reads. */
  draw() {
    clearTimeout(this.drawing);
    this.drawing = null;
    this.showRows();
    this.changed();
  }

  showRows() {
    const decisions = this.found?.decisions ?? [];
    this.depths.hidden = !decisions.length;
    // The panel keeps its place while the search goes on with another position.
    this.panel.element.hidden = !decisions.length && !this.goesOn;
    this.rows.replaceChildren(...decisions.slice(0, MOST_ROWS).map((each) => this.row(each)));
  }

  row({ depth, move, score, outcome, nodes, time_ms: time }) {
    const worth = outcomeText(outcome) ?? scoreText(score);
    const words = [String(depth), `${ARROWS[move] ?? ""} ${move ?? ""}`, worth, countText(nodes), millisecondsText(time, 0)];
    return html("tr", { "data-depth": depth }, ...words.map((each) => html("td", {}, each)));
  }

  /** Shows the result on a position with the looks of its snakes. */
  show(position, looks) {
    if (!this.panel.element.hidden) {
      const game = position.toGame(this.decision ?? { moves: [], pv: [] });
      this.panel.show(game, looks, game.snakes.findIndex(({ id }) => id === position.you), position.turn);
    }
    this.shown = { position, looks };
  }

  evaluateSoon() {
    clearTimeout(this.evaluating);
    this.asking?.abort();
    if (this.terms.open) {
      this.evaluating = setTimeout(() => this.evaluate(), PAUSE);
    }
  }

  async evaluate() {
    if (!this.question) {
      this.terms.clear();
      return;
    }
    this.asking = new AbortController();
    const { position, searcher } = this.question;
    try {
      const found = await evaluate({ position, searcher, ...this.form.value }, this.asking.signal);
      this.terms.show(found, this.shown);
    } catch (error) {
      if (error.name !== "AbortError") {
        this.terms.fail(wordsOf(error));
      }
    }
  }
}

/** An evaluator's score of the position for each snake, and the effect of each weight. */
class Terms {
  constructor() {
    this.content = html("div", {});
    this.element = html("details", { class: "terms", "data-part": "terms" }, html("summary", {}, "What the evaluator says"), this.content);
  }

  get open() {
    return this.element.open;
  }

  fail(words) {
    this.content.replaceChildren(html("p", { class: "problem" }, words));
  }

  clear() {
    this.content.replaceChildren();
  }

  show(evaluation, { position, looks }) {
    const scores = evaluation.snakes.map((each) => this.snake(each, looks[position.drawn.findIndex(({ id }) => id === each.id)]));
    const you = evaluation.snakes.find(({ id }) => id === position.you) ?? evaluation.snakes[0];
    const parts = [html("p", { class: "note" }, `Evaluator ${evaluation.evaluator}, without a search. The snake to move:`), this.table(you)];
    refill(this.content, html("ul", { class: "scores" }, ...scores), ...(you ? parts : []));
  }

  snake({ score }, { name, colour }) {
    return html("li", {}, swatch(colour), html("span", { class: "name" }, name), html("strong", {}, scoreText(score)));
  }

  /** Each weight, what the value is without it, and a bar for the difference. */
  table({ value, weights }) {
    const most = Math.max(...weights.map((each) => Math.abs(value - each.value_without)), 1e-9);
    const head = ["weight", "is", "without it", "effect"].map((words) => html("th", { scope: "col" }, words));
    const rows = weights.map((each) => this.row(each, value - each.value_without, most));
    const bars = html("td", { "aria-hidden": "true" });
    return html(
      "div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Weights and their effects" },
      html("table", { class: "candidates" }, html("thead", {}, html("tr", {}, ...head, bars)), html("tbody", {}, ...rows)),
    );
  }

  row({ name, weight, replacement, value_without: without }, effect, most) {
    const bar = styled(html("span", { class: effect < 0 ? "bar bad" : "bar good" }), "--share", Math.abs(effect) / most);
    const instead = replacement ? ` (at ${numberText(replacement)})` : "";
    const cells = [numberText(weight), scoreText(without).replace(/ (won|lost)$/, "") + instead, scoreText(effect).replace(/ (won|lost)$/, "")];
    return html(
      "tr", { "data-weight": name }, html("th", { scope: "row" }, name), ...cells.map((words) => html("td", {}, words)),
      html("td", { class: "bars", "aria-hidden": "true" }, bar),
    );
  }
}
