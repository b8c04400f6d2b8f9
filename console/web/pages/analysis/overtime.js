// What an evaluator says of a snake's positions over the turns of a game, term by term, in words and as plots.

import { html, refill, tell } from "/viewer/dom.js";
import { Plot } from "/viewer/trends.js";
import { wordsOf } from "../console.js";
import { evaluate } from "./api.js";
import { Position } from "./position.js";

const SAMPLES = 48;
const SETTLE = 200;
const BEFORE = 10;
const SMALL = 0.005;

export class Overtime {
  /** `asked` returns {game, snake, strategy, weights, searcher}; `onTurn` is called with a turn to show. */
  constructor(asked, onTurn) {
    this.asked = asked;
    this.onTurn = onTurn;
    this.said = html("p", { class: "story", "data-part": "overtime-said" }, "");
    this.plots = html("div", { class: "trends" });
    const note = html("p", { class: "note" }, "The effect of a term is the evaluator's value without a search, less the value without the term's weight.");
    this.element = html("details", { class: "overtime", "data-part": "overtime" }, html("summary", {}, "The evaluator over time"), this.said, this.plots, note);
    this.element.addEventListener("toggle", () => this.show(this.turn));
  }

  /** Shows a turn; asks about the game's turns while the section is open. */
  show(turn) {
    this.turn = turn;
    if (!this.element.open || turn === undefined) {
      return;
    }
    const { game, snake, strategy, weights, searcher } = this.asked();
    const about = JSON.stringify([game.data.id, snake, strategy, weights, searcher]);
    if (about !== this.about || game !== this.game) {
      this.aborter?.abort();
      Object.assign(this, { about, game, snake, found: new Map() });
      refill(this.plots);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.collect({ strategy, weights, searcher }), SETTLE);
    this.tellTurn();
  }

  /** The turns to ask about, the ones that are told first. */
  wanted() {
    const alive = this.game.numbers.filter((turn) => this.game.snake(this.snake, turn));
    const step = Math.max(1, alive.length / SAMPLES);
    const spread = alive.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
    return [...new Set([this.turn, this.before(), ...spread])].filter((turn) => alive.includes(turn) && !this.found.has(turn));
  }

  before() {
    return this.game.beside(this.turn, -BEFORE);
  }

  async collect(strategy) {
    this.aborter?.abort();
    const aborter = (this.aborter = new AbortController());
    const { game, snake, found } = this;
    try {
      for (const turn of this.wanted()) {
        found.set(turn, await termsOf(game, snake, turn, strategy, aborter.signal));
        this.draw();
      }
    } catch (error) {
      if (error.name !== "AbortError") {
        tell(this.said, wordsOf(error));
      }
    }
  }

  draw() {
    const { game, found } = this;
    this.plots.hidden = game.numbers.length < 2;
    const turns = [...found.keys()].sort((a, b) => a - b);
    const names = [...new Set(turns.flatMap((turn) => [...found.get(turn).keys()]))];
    if (String(names) !== String(this.names) || !this.plots.children.length) {
      this.names = names;
      this.drawn = new Map(names.map((name) => [name, new Plot(name, this.onTurn)]));
      refill(this.plots, ...[...this.drawn.values()].map(({ element }) => element));
    }
    for (const [name, plot] of this.drawn) {
      const points = turns.filter((turn) => found.get(turn).has(name)).map((turn) => [turn, found.get(turn).get(name)]);
      plot.draw(game.first, game.last, [{ colour: "var(--accent)", points, faint: false }]);
      plot.show(this.turn, signed);
    }
    this.tellTurn();
  }

  tellTurn() {
    this.drawn?.forEach((plot) => plot.show(this.turn, signed));
    const [now, before] = [this.found.get(this.turn), this.found.get(this.before())];
    if (now) {
      tell(this.said, storyOf(this.turn, now, this.before(), before));
    }
  }
}

/** The effect of each term on a snake's value in a turn. */
async function termsOf(game, snake, turn, { strategy, weights, searcher }, signal) {
  const { id } = game.snakes[snake];
  const played = game.decision(snake, turn)?.strategy;
  const question = { position: Position.ofTurn(game, game.at(turn), id).toBody(), searcher, strategy: strategy || played || "", weights };
  const { snakes } = await evaluate(question, signal);
  const { value, weights: terms } = snakes.find((each) => each.id === id) ?? { weights: [] };
  return new Map(terms.map((term) => [term.name, value - term.value_without]));
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** The terms of a turn and their largest change, as sentences. */
function storyOf(turn, now, formerTurn, before) {
  const terms = [...now].filter(([, effect]) => Math.abs(effect) >= SMALL).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const side = (words, fits) => {
    const found = terms.filter(([, effect]) => fits(effect)).map(([name, effect]) => `${name} (${signed(effect)})`);
    return found.length ? `${words} ${found.join(", ")}` : "";
  };
  const sides = [side("for the snake speak", (effect) => effect > 0), side("against it", (effect) => effect < 0)].filter(Boolean);
  const first = `Turn ${turn}: ${sides.join("; ") || "no term has an effect"}.`;
  if (!before || formerTurn === turn) {
    return first;
  }
  const [name, change] = [...now].map(([each, effect]) => [each, effect - (before.get(each) ?? 0)]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))[0] ?? ["", 0];
  return Math.abs(change) < SMALL ? `${first} Nothing has changed since turn ${formerTurn}.` : `${first} Since turn ${formerTurn}, ${name} has changed the most, by ${signed(change)}.`;
}
