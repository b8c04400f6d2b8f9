// The page of an analysis: a position, strategies that search it, and the turns that follow.

import { inAddress, numberInAddress } from "/viewer/address.js";
import { html, wordButton } from "/viewer/dom.js";
import { Column } from "./analysis/column.js";
import { Editor } from "./analysis/editor.js";
import { Exchange } from "./analysis/exchange.js";
import { choiceField, numberField } from "./analysis/fields.js";
import { Play } from "./analysis/play.js";
import { Position, startPosition } from "./analysis/position.js";
import { describe, Setup } from "./analysis/setup.js";
import { fillTop, request, say } from "./console.js";

const ADDRESS_DELAY = 400;
const LONGEST = 6000;
// The address has the /move body of the position, compressed, and the settings of the search as JSON.
const POSITION = "position";
const SEARCH = "search";
const TOO_LARGE = "The position is too large for an address: copy it as a body.";
const part = (id) => document.getElementById(id);

class Analysis {
  constructor() {
    this.setup = new Setup(() => this.edited());
    this.editor = new Editor({ snake: () => this.setup.snake, changed: () => this.edited() });
    const shared = { question: () => this.question(), decided: () => this.show(), chosen: (column) => this.showLine(column) };
    this.columns = ["First strategy", "Second strategy"].map((name) => new Column(name, shared));
    this.columns.forEach((column) => (column.position = () => this.position));
    this.play = new Play({ question: () => this.asked(), went: (position) => this.open(position) });
    this.exchange = new Exchange({ opened: (position) => this.openNew(position), position: () => this.position });
    this.build();
  }

  build() {
    this.time = numberField("Time, ms", { min: 10, max: 60_000, value: 2000, step: 100 }, () => this.show());
    this.threads = numberField("Threads", { min: 1, max: 64, value: 1 }, () => this.show());
    this.searcher = choiceField("Searcher", [], () => this.list(this.searcher.input.value).catch((error) => say(error.message)));
    this.start = wordButton("start", "Search", () => this.toggle());
    this.start.classList.add("main");
    this.compare = html("input", { type: "checkbox", "data-part": "compare" });
    this.compare.addEventListener("change", () => this.show());
    const limits = html("div", { class: "fields" }, this.time.element, this.threads.element, this.searcher.element);
    const row = html("div", { class: "row" }, this.start, html("label", { class: "check" }, this.compare, "Compare two strategies"));
    part("position").append(this.editor.element, this.setup.element);
    part("search").append(limits, row, html("div", { class: "pair" }, ...this.columns.map(({ element }) => element)));
    part("play").append(this.play.element);
    part("body").append(this.exchange.element);
  }

  /** Lists the strategies of a searcher, by default of the first. */
  async list(searcher = "") {
    const listed = await request(`/api/strategies?${new URLSearchParams({ searcher })}`);
    this.searcher.input.replaceChildren(...listed.searchers.map(({ address }) => html("option", {}, address)));
    this.searcher.input.value = listed.searcher;
    this.searcher.element.hidden = listed.searchers.length < 2;
    this.time.input.max = listed.limits.time_ms;
    this.threads.input.max = listed.limits.threads;
    this.columns.forEach((column) => column.form.offer(listed));
  }

  get shown() {
    return this.columns.slice(0, this.compare.checked ? 2 : 1);
  }

  /** The column whose line is on the board. */
  get lined() {
    const found = this.shown.filter(({ decision }) => decision);
    return found.find((column) => column === this.chosen) ?? found[0];
  }

  /** What the API is asked about, whatever it is asked. */
  asked() {
    return { position: this.position.toBody(), searcher: this.searcher.input.value };
  }

  limits() {
    return { time_ms: this.time.input.valueAsNumber, threads: this.threads.input.valueAsNumber };
  }

  question() {
    return this.position?.drawn.length ? { ...this.asked(), ...this.limits() } : null;
  }

  /** What of the search belongs into the address. */
  settings() {
    const { time_ms, threads } = this.limits();
    return { time_ms, threads, compare: this.compare.checked, strategies: this.columns.map(({ form }) => form.value) };
  }

  /** Takes over settings. What the searcher does not offer is named. */
  restore({ time_ms: time, threads, compare, strategies = [] }) {
    this.time.input.value = time ?? this.time.input.value;
    this.threads.input.value = threads ?? this.threads.input.value;
    this.compare.checked = compare === true;
    const unknown = this.columns.flatMap(({ form }, index) => (strategies[index] ? form.restore(strategies[index]) : []));
    if (unknown.length) {
      throw new Error(`The searcher does not offer ${unknown.join(", ")}.`);
    }
  }

  /** Opens a position that others don't lead to. */
  openNew(position) {
    say("");
    this.play.forget();
    this.open(position);
  }

  open(position) {
    this.position = position;
    this.edited(false);
  }

  /** Shows a changed position. A change by hand is not a turn: the way back ends there. */
  edited(byHand = true) {
    if (byHand) {
      say("");
      this.play.forget();
    }
    const { position } = this;
    if (!position.drawn.some(({ id }) => id === position.you)) {
      position.you = position.drawn[0]?.id ?? position.you;
    }
    this.columns.forEach((column) => column.clear());
    this.setup.show(position);
    this.show();
  }

  async writeAddress() {
    if (!(await writeAddress(this.position, this.settings()))) {
      say(TOO_LARGE);
    }
  }

  show() {
    const { position, lined } = this;
    if (!position) {
      return;
    }
    this.columns[1].element.hidden = !this.compare.checked;
    const decision = lined?.decision ?? null;
    const game = position.toGame(decision);
    const you = game.snakes.findIndex(({ id }) => id === position.you);
    this.editor.show(position, game, decision ? [you] : []);
    this.columns.forEach((column) => column.show(position, column === lined));
    this.play.show(position, decision);
    this.start.textContent = this.running ? "Stop" : "Search";
    this.start.disabled = !position.drawn.length;
    part("facts").textContent = describe(position);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.writeAddress(), ADDRESS_DELAY);
  }

  get running() {
    return this.columns.some((column) => column.running);
  }

  toggle() {
    if (this.running) {
      this.columns.forEach((column) => column.stop());
    } else {
      this.chosen = null;
      this.shown.forEach((column) => column.start());
    }
    this.show();
  }

  showLine(column) {
    this.chosen = column;
    this.show();
  }
}

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Puts an analysis into the address; a position that is too large for it is left out. Returns whether it is there. */
async function writeAddress(position, settings) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(position.toBody())));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const fits = text.length <= LONGEST;
  const parts = new URLSearchParams({ ...(fits ? { [POSITION]: text } : {}), [SEARCH]: JSON.stringify(settings) });
  history.replaceState(null, "", `${location.pathname}#${parts}`);
  return fits;
}

function inHash(name) {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}

/** The settings of the search in the address, else null. Throws an Error if they can't be read. */
function readSettings() {
  try {
    return JSON.parse(inHash(SEARCH));
  } catch {
    throw new Error("The settings of the search in the address can't be read.");
  }
}

/** The /move body in the address, else null. Throws an Error if it can't be read. */
async function readAddress() {
  const text = inHash(POSITION);
  if (!text) {
    return null;
  }
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  } catch {
    throw new Error("The position in the address can't be read.");
  }
}

/** The position that the address names: itself, a turn of a game, or neither. */
async function inTheAddress() {
  const body = await readAddress();
  if (body) {
    return Position.fromBody(body);
  }
  const game = inAddress("game");
  if (!game) {
    return startPosition();
  }
  return Position.fromGame(await request(`/api/games/${encodeURIComponent(game)}`), numberInAddress("turn") ?? 0, inAddress("snake"));
}

async function start() {
  fillTop("analysis.html");
  const analysis = new Analysis();
  await analysis.list();
  try {
    analysis.restore(readSettings() ?? {});
  } catch (error) {
    say(error.message);
  }
  analysis.open(await inTheAddress().catch((error) => {
    say(error.message);
    return startPosition();
  }));
}

start().catch((error) => say(error.message));
