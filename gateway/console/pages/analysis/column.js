// One strategy on the position: its choice, its search depth by depth, the result, and its evaluator's terms.

import { DecisionPanel } from "/viewer/decision.js";
import { html, styled, wordButton } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";
import { ARROWS, countText, millisecondsText, scoreText } from "/viewer/words.js";
import { analyze, evaluate } from "./api.js";
import { swatch } from "./editor.js";
import { choiceField } from "./fields.js";

const AUTO = "auto";
const STEPS = 200;
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

/** Chooses among the strategies of a searcher, with a slider for each weight. `changed` is called after each change. */
class StrategyForm {
  constructor(changed) {
    this.changed = changed;
    this.weights = {};
    this.search = choiceField("Algorithm", [AUTO], () => this.choose());
    this.evaluator = choiceField("Evaluator", [], () => this.choose());
    this.said = html("p", { class: "note" });
    this.sliders = html("div", { class: "sliders" });
    this.reset = wordButton("reset", "Reset the weights", () => this.choose());
    const names = html("div", { class: "fields" }, this.search.element, this.evaluator.element);
    this.details = html("details", { class: "weights" }, html("summary", {}, "Weights"), this.sliders, this.reset);
    this.element = html("div", {}, names, this.said, this.details);
  }

  /** Offers what a searcher lists. */
  offer(listed) {
    this.listed = listed;
    const [search, evaluator] = [this.search.input.value, this.evaluator.input.value];
    const options = (names) => names.map((name) => html("option", {}, name));
    this.search.input.replaceChildren(...options([AUTO, ...listed.searches.map(({ name }) => name)]));
    this.evaluator.input.replaceChildren(...options(listed.evaluators.map(({ name }) => name)));
    this.select(search || AUTO, evaluator || (listed.auto[0] ?? listed.default).split("/")[1]);
  }

  /** Selects a search and an evaluator, where they are on offer. */
  select(search, evaluator) {
    for (const [{ input }, name] of [[this.search, search], [this.evaluator, evaluator]]) {
      input.value = [...input.options].some(({ value }) => value === name) ? name : input.options[0]?.value;
    }
    this.choose();
  }

  get isAuto() {
    return this.search.input.value === AUTO;
  }

  /** Takes over a `value`. Returns the names in it that are not on offer. */
  restore({ strategy, weights = {} }) {
    const [search, evaluator] = strategy.split("/");
    this.select(search, evaluator ?? this.evaluator.input.value);
    const unknown = Object.keys(weights).filter((name) => !this.setters[name]);
    Object.entries(weights).forEach(([name, value]) => this.setters[name]?.(value));
    return this.value.strategy === strategy ? unknown : [strategy];
  }

  /** {strategy, weights} as the API takes them; weights that are the default are left out. */
  get value() {
    return { strategy: this.isAuto ? AUTO : `${this.search.input.value}/${this.evaluator.input.value}`, weights: { ...this.weights } };
  }

  choose() {
    const found = this.listed.evaluators.find(({ name }) => name === this.evaluator.input.value);
    const search = this.listed.searches.find(({ name }) => name === this.search.input.value);
    this.weights = {};
    this.setters = {};
    this.evaluator.element.hidden = this.isAuto;
    this.details.hidden = this.isAuto || !found?.weights.length;
    this.said.textContent = this.isAuto
      ? `Chosen by the position among ${this.listed.auto.join(", ")}.`
      : [search?.description, found?.description].filter(Boolean).join(" ");
    this.sliders.replaceChildren(...(found?.weights ?? []).map((weight) => this.slider(weight)));
    this.changed();
  }

  slider({ name, default: usual, minimum: min, maximum: max, description }) {
    const input = html("input", { type: "range", id: `${this.prefix()}-${name}`, min, max, step: (max - min) / STEPS || 1 });
    input.step = "any";
    input.value = usual;
    const shown = html("output", { for: input.id }, numberText(usual));
    const take = () => {
      const step = (max - min) / STEPS;
      const value = Math.abs(input.valueAsNumber - usual) < step / 2 ? usual : Number(input.valueAsNumber.toPrecision(4));
      this.weights[name] = Math.min(Math.max(value, min), max);
      shown.textContent = numberText(value);
      if (value === usual) {
        delete this.weights[name];
      }
      this.changed();
    };
    input.addEventListener("input", take);
    this.setters[name] = (value) => {
      input.value = value;
      take();
    };
    const label = html("label", { for: input.id }, name);
    const bounds = html("span", { class: "note" }, `${numberText(min)} to ${numberText(max)}, default ${numberText(usual)}: ${description}`);
    return html("div", { class: "slider" }, label, shown, input, bounds);
  }

  prefix() {
    return (this.id ??= `weight-${++StrategyForm.count}`);
  }
}

StrategyForm.count = 0;

/** A number with as many digits as it needs. */
function numberText(value) {
  return String(Number(value.toPrecision(4))).replace("-", "−");
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

  show(evaluation, position) {
    const scores = evaluation.snakes.map((each) => this.snake(each, position));
    const you = evaluation.snakes.find(({ id }) => id === position.you) ?? evaluation.snakes[0];
    const parts = [html("p", { class: "note" }, `Evaluator ${evaluation.evaluator}, without a search. The snake to move:`), this.table(you)];
    this.content.replaceChildren(html("ul", { class: "scores" }, ...scores), ...(you ? parts : []));
  }

  snake({ id, score }, position) {
    const snake = position.snakes.find((each) => each.id === id);
    return html("li", {}, swatch(snake.color), html("span", { class: "name" }, snake.name || id), html("strong", {}, scoreText(score)));
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
