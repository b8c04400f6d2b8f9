// The search of the position that is shown: its limits, and one strategy or two beside each other. While it is on, it goes on
// as the position changes.

import { html, wordButton } from "/viewer/dom.js";
import { Problem, request, say, wordsOf } from "../console.js";
import { Column } from "./column.js";
import { choiceField, numberField } from "./fields.js";

export class Search {
  /** `onStep` is for the expected lines; `changed` is called when a result or a setting has changed. */
  constructor({ onStep, changed }) {
    this.changed = changed;
    this.on = false;
    this.columns = ["First strategy", "Second strategy"].map((name) => new Column(name, { onStep, changed: () => this.changed() }));
    this.time = numberField("Time, ms", { min: 10, max: 60_000, value: 2000, step: 100 }, () => this.changed());
    this.threads = numberField("Threads", { min: 1, max: 64, value: 1 }, () => this.changed());
    this.searcher = choiceField("Searcher", [], () => this.list(this.searcher.input.value).catch((error) => say(wordsOf(error))));
    this.searcher.element.hidden = true;
    this.start = wordButton("start", "Search from here", () => this.toggle());
    this.start.classList.add("main");
    this.compare = html("input", { type: "checkbox", "data-part": "compare" });
    this.compare.addEventListener("change", () => this.changed());
    const fields = html("div", { class: "fields" }, this.start, this.time.element, this.threads.element, this.searcher.element);
    const compare = html("label", { class: "check" }, this.compare, "Compare two strategies");
    const pair = html("div", { class: "pair" }, ...this.columns.map(({ element }) => element));
    this.element = html("section", { class: "search", "aria-label": "Search", "data-part": "search" }, fields, compare, pair);
    this.columns[1].element.hidden = true;
    this.columns.forEach(({ strategy }) => strategy.addEventListener("toggle", () => this.prepare().catch((error) => say(wordsOf(error)))));
  }

  /** Lists the strategies when they are needed first. */
  prepare() {
    this.prepared ??= this.list().catch((error) => {
      this.prepared = null;
      throw error;
    });
    return this.prepared;
  }

  /** Lists the strategies of a searcher, by default of the first. */
  async list(searcher = "") {
    const listed = await request(`/api/strategies?${new URLSearchParams({ searcher })}`);
    this.searcher.input.replaceChildren(...listed.searchers.map(({ address }) => html("option", {}, address)));
    this.searcher.input.value = listed.searcher;
    this.searcher.element.hidden = listed.searchers.length < 2;
    this.time.input.max = listed.limits.time_ms;
    this.threads.input.max = listed.limits.threads;
    this.listed = listed;
    this.columns.forEach((column) => column.form.offer(listed));
    this.usual ??= JSON.stringify(this.settings());
  }

  /** Whether nobody has changed a setting. */
  get isUsual() {
    return this.usual === undefined || this.usual === JSON.stringify(this.settings());
  }

  get shown() {
    return this.columns.slice(0, this.compare.checked ? 2 : 1);
  }

  /** The result that the board shows: the first column's, if there is one. */
  get decision() {
    return this.shown.map(({ decision }) => decision).find(Boolean) ?? null;
  }

  limits() {
    return { time_ms: this.time.input.valueAsNumber, threads: this.threads.input.valueAsNumber };
  }

  /** What of the search belongs into the address. */
  settings() {
    return { ...this.limits(), compare: this.compare.checked, strategies: this.columns.map(({ form }) => form.value) };
  }

  /** Takes over settings. Throws a Problem that names what the searcher does not offer. */
  async restore({ time_ms: time, threads, compare, strategies = [] }) {
    this.time.input.value = time ?? this.time.input.value;
    this.threads.input.value = threads ?? this.threads.input.value;
    this.compare.checked = compare === true;
    await this.prepare();
    const unknown = this.columns.flatMap(({ form }, index) => (strategies[index] ? form.restore(strategies[index]) : []));
    this.changed();
    if (unknown.length) {
      throw new Problem(`The searcher does not offer ${unknown.join(", ")}.`);
    }
  }

  async toggle() {
    this.on = !this.on;
    this.changed();
    await this.prepare().catch((error) => say(wordsOf(error)));
  }

  /** Asks about a position, null if nothing can be asked; `looks` are of its snakes. */
  ask(position, looks) {
    const question = position && { position: position.toBody(), searcher: this.searcher.input.value, ...this.limits() };
    this.columns[1].element.hidden = !this.compare.checked;
    this.columns.forEach((column) => column.ask(this.shown.includes(column) ? question : null, this.on));
    this.shown.forEach((column) => position && column.show(position, looks));
    this.start.setAttribute("aria-pressed", String(this.on));
  }
}
