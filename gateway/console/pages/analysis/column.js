// One strategy on the position: its choice, its search depth by depth, the result, and its evaluator's terms.

import { DecisionPanel } from "/viewer/decision.js";
import { html, wordButton } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";
import { ARROWS, countText, millisecondsText, scoreText } from "/viewer/words.js";
import { analyze, evaluate } from "./api.js";
import { StrategyForm } from "./strategy.js";
import { Terms } from "./terms.js";

const PAUSE = 400;
const COMPILING = "still compiling";
const HEAD = ["depth", "move", "score", "nodes", "time"];

export class Column {
  /** `question` returns what is common to all columns, or null; `decided` is called after each depth. */
  constructor(name, { question, decided, chosen }) {
    this.question = question;
    this.decided = decided;
    this.decision = null;
    this.form = new StrategyForm(() => this.restart());
    this.terms = new Terms();
    this.terms.element.addEventListener("toggle", () => this.evaluateSoon());
    this.rows = html("tbody", {});
    const head = html("thead", {}, html("tr", {}, ...HEAD.map((words) => html("th", { scope: "col" }, words))));
    const scroll = { class: "scroll depths", tabindex: 0, role: "group", "aria-label": `Depths of ${name}` };
    this.depths = html("div", scroll, html("table", { class: "candidates" }, head, this.rows));
    this.panel = new DecisionPanel("best");
    this.panel.element.setAttribute("aria-label", `Result of ${name}`);
    this.state = html("p", { class: "note", role: "status", "data-part": "state" });
    this.problem = html("p", { class: "problem", role: "alert" });
    this.line = wordButton("line", "Line on the board", () => chosen(this));
    this.result = html("div", { class: "result viewer" }, this.line, this.panel.element);
    const title = html("h3", {}, name);
    const attributes = { class: "column", "aria-label": name, "data-part": "column" };
    this.element = html(
      "section", attributes, title, this.form.element, this.state, this.problem, this.depths, this.result, this.terms.element,
    );
    this.clear();
  }

  get running() {
    return Boolean(this.aborter);
  }

  /** Forgets the result, which is of another position or strategy. */
  clear() {
    this.stop();
    this.decision = null;
    this.rows.replaceChildren();
    this.depths.hidden = this.result.hidden = true;
    this.state.textContent = this.problem.textContent = "";
    this.evaluateSoon();
  }

  restart() {
    this.clear();
    this.decided(this);
  }

  stop() {
    this.aborter?.abort();
    this.aborter = null;
  }

  async start() {
    this.clear();
    const question = this.question();
    const aborter = (this.aborter = new AbortController());
    this.state.textContent = "Searching …";
    try {
      for await (const { name, data } of analyze({ ...question, ...this.form.value }, aborter.signal)) {
        if (name === "error") {
          throw new Error(data.error);
        }
        this.add(data, name === "final");
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.aborter === aborter) {
      this.aborter = null;
      this.decided(this);
    }
  }

  fail(error) {
    this.state.textContent = error.name === "AbortError" ? "Stopped." : "";
    const words = error.message.startsWith(COMPILING) ? `${error.message}. Try again in a while.` : error.message;
    this.problem.textContent = error.name === "AbortError" ? "" : words;
  }

  add(decision, final) {
    this.decision = decision;
    this.depths.hidden = this.result.hidden = false;
    const row = this.row(decision);
    const former = this.rows.firstElementChild;
    if (former?.dataset.depth === String(decision.depth)) {
      former.replaceWith(row);
    } else {
      this.rows.prepend(row);
    }
    this.state.textContent = final ? "The search has ended." : `Searching … depth ${decision.depth}`;
    this.decided(this);
  }

  row({ depth, move, score, nodes, time_ms: time }) {
    const words = [String(depth), `${ARROWS[move] ?? ""} ${move ?? ""}`, scoreText(score), countText(nodes), millisecondsText(time, 0)];
    return html("tr", { "data-depth": depth }, ...words.map((each) => html("td", {}, each)));
  }

  /** Shows the result, which may be the one whose line is on the board. */
  show(position, isOnBoard) {
    this.line.setAttribute("aria-pressed", String(isOnBoard));
    if (this.decision) {
      const game = position.toGame(this.decision);
      const you = game.snakes.findIndex(({ id }) => id === position.you);
      this.panel.show(game, looksOf(game.snakes), you, position.turn);
    }
  }

  evaluateSoon() {
    clearTimeout(this.timer);
    this.asking?.abort();
    if (this.terms.open) {
      this.timer = setTimeout(() => this.evaluate(), PAUSE);
    }
  }

  async evaluate() {
    const question = this.question();
    if (!question) {
      this.terms.clear();
      return;
    }
    this.asking = new AbortController();
    const { position, searcher } = question;
    try {
      const found = await evaluate({ position, searcher, ...this.form.value }, this.asking.signal);
      this.terms.show(found, this.position());
    } catch (error) {
      if (error.name !== "AbortError") {
        this.terms.fail(error.message);
      }
    }
  }
}
