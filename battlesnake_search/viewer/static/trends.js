// Small plots over the turns of a game, one under another: length, health and territory of each snake.

import { html, styled, svg } from "./dom.js";
import { territory } from "./territory.js";

/** A plot of lines over turns, with its name, and the values at the turn that is shown. */
export class Plot {
  constructor(name, onTurn) {
    this.onTurn = onTurn;
    this.plot = svg("svg", { class: "plot", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.plot.addEventListener("pointerdown", (event) => this.seek(event));
    this.plot.addEventListener("pointermove", (event) => event.buttons && this.seek(event));
    this.values = html("span", { class: "values" });
    this.element = html("div", { class: "trend", "data-trend": name }, html("span", { class: "trend-name" }, name), this.plot, this.values);
  }

  /** Draws {colour, points, faint} lines; a point is [turn, value]. */
  draw(first, last, lines) {
    [this.first, this.last, this.lines] = [first, last, lines];
    const all = lines.flatMap(({ points }) => points.map(([, value]) => value));
    const [low, high] = [Math.min(0, ...all), Math.max(1e-9, ...all)];
    const height = (value) => 2 + (1 - (value - low) / (high - low)) * 26;
    this.cursor = svg("path", { class: "cursor" });
    this.plot.setAttribute("viewBox", `${first - 0.5} 0 ${Math.max(last - first, 1) + 1} 30`);
    const zero = low < 0 ? [svg("path", { class: "zero", d: `M${first - 0.5},${height(0)} H${last + 0.5}` })] : [];
    const paths = lines.map(({ colour, points, faint }) => {
      const d = points.map(([turn, value], index) => `${index ? "L" : "M"}${turn},${height(value).toFixed(2)}`).join(" ");
      return styled(svg("path", { class: faint ? "other" : "own", d }), "--colour", colour);
    });
    this.plot.replaceChildren(...zero, ...paths, this.cursor);
  }

  /** Marks a turn, and writes the values there, or at the newest turn before it that has one. */
  show(turn, text = String) {
    this.cursor?.setAttribute("d", `M${turn},0 V30`);
    const values = (this.lines ?? []).map(({ colour, points }) => {
      const found = points.filter(([each]) => each <= turn).pop();
      const current = found && (found[0] === turn || found[0] < points[points.length - 1][0]);
      return styled(html("span", {}, current ? text(found[1]) : "–"), "--colour", colour);
    });
    this.values.replaceChildren(...values);
  }

  seek(event) {
    const box = this.plot.getBoundingClientRect();
    const span = Math.max(this.last - this.first, 1) + 1;
    this.onTurn(Math.round(this.first - 0.5 + ((event.clientX - box.left) / box.width) * span));
  }
}

const SERIES = {
  length: (game, snake, turn) => game.snake(snake, turn)?.body.length,
  health: (game, snake, turn) => game.snake(snake, turn)?.health,
  territory: (game, snake, turn) => (game.snake(snake, turn) ? cellsOf(game, turn)[snake] : undefined),
};

/** The plots of a game. They are drawn when they come into view, because the floods of all turns take a while. */
export class Trends {
  constructor(onTurn) {
    this.plots = Object.fromEntries(Object.keys(SERIES).map((name) => [name, new Plot(name, onTurn)]));
    this.element = html("div", { class: "trends", "data-part": "trends" }, ...Object.values(this.plots).map(({ element }) => element));
    this.visible = false;
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.visible = isIntersecting;
      this.drawIfSeen();
    }).observe(this.element);
  }

  draw(game, looks, chosen) {
    Object.assign(this, { game, looks, chosen, stale: true });
    this.element.hidden = game.numbers.length < 2;
    this.drawIfSeen();
  }

  drawIfSeen() {
    if (!this.visible || !this.stale) {
      return;
    }
    this.stale = false;
    const { game, looks, chosen } = this;
    const order = [...game.snakes.keys()];
    for (const [name, read] of Object.entries(SERIES)) {
      const lines = order.map((snake) => {
        const points = game.numbers.map((turn) => [turn, read(game, snake, turn)]).filter(([, value]) => value !== undefined);
        return { colour: looks[snake].colour, points, faint: snake !== chosen };
      });
      this.plots[name].draw(game.first, game.last, lines);
    }
    this.show(this.turn ?? game.first);
  }

  show(turn) {
    this.turn = turn;
    Object.values(this.plots).forEach((plot) => plot.show(turn));
  }
}

const counts = new WeakMap();

/** The number of cells that each snake reaches first in a turn. It is counted once. */
function cellsOf(game, number) {
  const turn = game.at(number);
  if (!counts.has(turn)) {
    const found = game.snakes.map(() => 0);
    territory(game, number).forEach(({ snake }) => (found[snake] += 1));
    counts.set(turn, found);
  }
  return counts.get(turn);
}
