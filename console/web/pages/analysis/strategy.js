// The choice of a strategy among a searcher's, with a slider for each weight.

import { html, wordButton } from "/viewer/dom.js";
import { choiceField } from "./fields.js";

const AUTO = "auto";
const SLIDER_STEPS = 200;

/** Chooses among the strategies of a searcher, with a slider for each weight. `changed` is called after each change. */
export class StrategyForm {
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
    // The address may name any weight.
    this.setters = { __proto__: null };
    this.evaluator.element.hidden = this.isAuto;
    this.details.hidden = this.isAuto || !found?.weights.length;
    this.said.textContent = this.isAuto
      ? `Chosen by the position among ${this.listed.auto.join(", ")}.`
      : [search?.description, found?.description].filter(Boolean).join(" ");
    this.sliders.replaceChildren(...(found?.weights ?? []).map((weight) => this.slider(weight)));
    this.changed();
  }

  slider({ name, default: usual, minimum: min, maximum: max, description }) {
    const input = html("input", { type: "range", id: `${this.prefix()}-${name}`, min, max, step: (max - min) / SLIDER_STEPS || 1 });
    input.step = "any";
    input.value = usual;
    const shown = html("output", { for: input.id }, numberText(usual));
    const take = () => {
      const step = (max - min) / SLIDER_STEPS;
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
export function numberText(value) {
  return String(Number(value.toPrecision(4))).replace("-", "−");
}
