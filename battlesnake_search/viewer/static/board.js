// Draws a turn as SVG, one unit to a cell, y upwards as the game counts it.

import { styled, svg, titled } from "./dom.js";
import { headShape, tailOutline } from "./shapes.js";
import { territory } from "./territory.js";
import { deathText, worthText } from "./words.js";

const MARGIN = 0.25;
/** The room for coordinates, left of the board and below it. */
const EDGE = 0.65;
const TEXT_SIZE = 0.045;

/**
 * What is drawn besides the pieces: {snake, pv} of each expected line, who reaches which cell first, and
 * {snake, moves, best} of the scores that are drawn beside a head.
 */
export const NOTHING_MORE = { pvs: [], territory: false, marks: null };

export class Board {
  /** `edged`: whether the coordinates stand at the board's edge. */
  constructor(element, game, looks, edged = false) {
    this.element = element;
    this.game = game;
    this.looks = looks;
    const { width, height } = game.data;
    const left = edged ? EDGE : MARGIN;
    element.setAttribute("viewBox", [-left, -MARGIN, width + left + MARGIN, height + MARGIN + left].join(" "));
    this.grid = [this.cells(), ...(edged && !game.isHuge ? [this.coordinates()] : [])];
  }

  /** The centre of a cell. */
  place([x, y]) {
    return [x + 0.5, this.game.data.height - y - 0.5];
  }

  draw(number, more = NOTHING_MORE) {
    const { game } = this;
    const living = game.living(number);
    const bodies = living.map((snake) => [snake, game.snake(snake, number).body]);
    const dead = [...game.snakes.keys()].filter((snake) => game.death(snake, number));
    const fallen = (now) => dead.filter((snake) => (game.death(snake, number).turn === number) === now);
    this.element.replaceChildren(
      ...this.grid,
      ...(more.territory ? [this.reach(number)] : []),
      this.hazards(number),
      ...(more.marks ? [this.marks(number, more.marks, "tints", (...mark) => this.tint(...mark))] : []),
      ...fallen(false).map((snake) => this.fallen(number, snake)),
      this.food(number),
      ...bodies.map(([snake, body]) => this.body(snake, body)),
      ...more.pvs.map((line) => this.pv(number, line)),
      ...bodies.map(([snake, body]) => this.head(snake, body)),
      ...(more.marks ? [this.marks(number, more.marks, "marks", (...mark) => this.label(...mark))] : []),
      ...bodies.flatMap(([, body]) => this.stack(body)),
      // The winner of a head-to-head has its head there.
      ...fallen(true).map((snake) => this.fallen(number, snake)),
    );
  }

  /** A group in a snake's colour. */
  group(snake, attributes, ...children) {
    const group = svg("g", { "data-snake": snake, ...attributes }, ...children);
    return styled(group, "--colour", this.looks[snake].colour);
  }

  square(cell, attributes) {
    const [x, y] = this.place(cell);
    return svg("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, ...attributes });
  }

  cells() {
    const group = svg("g", { class: "cells" });
    if (this.game.isHuge) {
      const { width, height } = this.game.data;
      group.append(svg("rect", { width, height }));
      return group;
    }
    for (let x = 0; x < this.game.data.width; x++) {
      for (let y = 0; y < this.game.data.height; y++) {
        group.append(svg("rect", { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.08 }));
      }
    }
    return group;
  }

  /** The numbers of columns and rows, all of them while they have room. */
  coordinates() {
    const { width, height } = this.game.data;
    const step = Math.max(width, height) > 13 ? 2 : 1;
    const numbers = (count) => [...Array(count).keys()].filter((each) => each % step === 0);
    const text = (x, y, number) => svg("text", { x, y, "text-anchor": "middle", "font-size": 0.32 }, String(number));
    const columns = numbers(width).map((each) => text(each + 0.5, height + 0.42, each));
    const rows = numbers(height).map((each) => text(-0.32, height - each - 0.39, each));
    return svg("g", { class: "coordinates", "aria-hidden": "true" }, ...columns, ...rows);
  }

  /** A group with a drawing for each move of a snake whose score or bound is known. */
  marks(number, { snake, moves, best }, name, draw) {
    const body = this.game.snake(snake, number)?.body;
    const known = body ? moves.filter(({ score }) => score !== null && score !== undefined) : [];
    return svg("g", { class: name }, ...known.map((each) => draw(this.clamped(this.game.neighbour(body[0], each.move)), each, best)));
  }

  tint([x, y], { move, score, exact, outcome }, best) {
    const kind = [outcome?.kind === "draw" ? "even" : score < 0 ? "bad" : "good", ...(exact === false ? ["bound"] : []), ...(move === best ? ["best"] : [])];
    const square = svg("rect", { x: x - 0.45, y: y - 0.45, width: 0.9, height: 0.9, rx: 0.12, class: kind.join(" "), "data-mark": move });
    return styled(square, "--share", Math.min(Math.abs(score), 1));
  }

  label([x, y], each) {
    const text = svg("text", { x, y: y + 0.39, "text-anchor": "middle", "font-size": 0.25, "data-label": each.move }, markText(each));
    return titled(text, `${each.move}: ${worthText(each)}`);
  }

  reach(number) {
    const cells = territory(this.game, number).map(({ cell, snake }) => {
      return styled(this.square(cell, { "data-reach": cell.join(), "data-owner": snake }), "--colour", this.looks[snake].colour);
    });
    return svg("g", { class: "territory" }, ...cells);
  }

  hazards(number) {
    const squares = this.game.hazards(number).map(([cell, layers]) => {
      const shade = (1 - 0.72 ** layers).toFixed(3);
      const square = this.square(cell, { "fill-opacity": shade, "data-cell": cell.join(), "data-layers": layers });
      return titled(square, layers === 1 ? "hazard" : `hazard, ${layers} layers`);
    });
    const cells = this.game.hazards(number).map(([cell]) => cell.join(", ")).join("; ");
    return svg("g", { class: "hazards", ...(cells ? { role: "img", "aria-label": `hazards at ${cells}` } : {}) }, ...squares);
  }

  food(number) {
    const circles = (this.game.at(number)?.food ?? []).map((cell) => {
      const [cx, cy] = this.place(cell);
      return titled(svg("circle", { cx, cy, r: 0.24, "data-cell": cell.join(), role: "img" }), `food at ${cell.join(", ")}`);
    });
    return svg("g", { class: "food" }, ...circles);
  }

  body(snake, body) {
    const unfolded = body.length > 1 && String(body[body.length - 1]) !== String(body[body.length - 2]);
    const lines = (name) => (unfolded ? this.trunk(body, name) : this.strokes(body, name));
    const group = this.group(snake, { class: "snake", "data-cells": body.map(String).join(" "), ...this.spoken(snake, body) });
    const [tail, before] = [body[body.length - 1], body[body.length - 2]];
    const outline = tailOutline(this.game.snakes[snake].tail);
    const taper = (name) => svg("path", { class: name, d: outline, transform: this.facing(tail, tail, before) });
    group.append(...(unfolded ? [taper("rim")] : []), ...lines("rim"));
    group.append(...lines("body"), ...(unfolded ? [taper("tail")] : []));
    return titled(group, this.looks[snake].name);
  }

  /** The name of a snake's drawing for a screen reader: where its head and its other parts are. */
  spoken(snake, [head, ...rest]) {
    const parts = rest.map((cell) => cell.join(", ")).join("; ");
    return { role: "img", "aria-label": `${this.looks[snake].name}: head at ${head.join(", ")}${parts ? `, body at ${parts}` : ""}` };
  }

  /** How many parts lie on the tail's cell, if several do. */
  stack(body) {
    const tail = body[body.length - 1];
    const count = body.filter((cell) => String(cell) === String(tail)).length;
    const [x, y] = this.place(tail);
    // Below the eyes of a head.
    const below = String(tail) === String(body[0]) ? 0.42 : 0.12;
    const place = { x, y: y + below, class: "stack", "font-size": 0.34, "text-anchor": "middle" };
    return count > 1 ? [svg("text", place, `×${count}`)] : [];
  }

  head(snake, body) {
    const [cell] = body;
    const neck = body.find((other) => String(other) !== String(cell)) ?? [cell[0], cell[1] - 1];
    const place = { class: "head", transform: this.facing(cell, neck, cell), "aria-hidden": "true" };
    return this.group(snake, place, ...headShape(this.game.snakes[snake].head));
  }

  /** A transform to the centre of a cell, turned so that x points from one cell to the next. */
  facing(cell, from, to) {
    const [dx, dy] = this.step(from, to);
    return `translate(${this.place(cell)}) rotate(${(Math.atan2(-dy, dx) * 180) / Math.PI})`;
  }

  /** The step between neighbours, across a seam as well. */
  step([x1, y1], [x2, y2]) {
    return [x2 - x1, y2 - y1].map((distance) => (Math.abs(distance) > 1 ? -Math.sign(distance) : distance));
  }

  /** The lines of a body without its tail, up to the seam if the tail lies across it. */
  trunk(body, name) {
    const [whole, trunk] = [body, body.slice(0, -1)].map((cells) => this.strokes(cells, name));
    return whole.length > trunk.length ? whole.slice(0, -1) : trunk;
  }

  /** Lines through cells, cut at seams. */
  strokes(cells, name) {
    const pieces = [[this.place(cells[0])]];
    for (let index = 1; index < cells.length; index++) {
      const [from, to] = [cells[index - 1], cells[index]];
      const [dx, dy] = this.step(from, to);
      const [[x1, y1], [x2, y2]] = [this.place(from), this.place(to)];
      if (x2 - x1 !== dx || y1 - y2 !== dy) {
        pieces[pieces.length - 1].push([x1 + dx, y1 - dy]);
        pieces.push([[x2 - dx, y2 + dy]]);
      }
      pieces[pieces.length - 1].push([x2, y2]);
    }
    return pieces.map((points) => svg("polyline", { class: name, points: points.map(String).join(" ") }));
  }

  /** The expected line of a snake: where its player expects every snake to go. */
  pv(number, { snake: thinker, pv }) {
    const lines = this.game.movesByPv(pv);
    const living = this.game.living(number).filter((snake) => lines[snake].length);
    return svg("g", { class: "pv", "data-snake": thinker }, ...living.map((snake) => this.line(number, snake, lines[snake])));
  }

  line(number, snake, moves) {
    const path = this.game.path(snake, number, moves);
    const [cx, cy] = this.place(path[path.length - 1]);
    const end = svg("circle", { cx, cy, r: 0.14, class: "end" });
    return this.group(snake, {}, ...this.strokes(path, "path-rim"), ...this.strokes(path, "path"), end);
  }

  /** Where a snake died: with its body and the cause in the first turn after its death, later a mark alone. */
  fallen(number, snake) {
    const death = this.game.death(snake, number);
    const { turn, cause } = death;
    const seen = this.game.lastSeen(snake);
    const now = turn === number;
    const group = this.group(snake, { class: now ? "fallen" : "fallen old", "data-cause": cause });
    if (seen) {
      const ghost = now ? this.strokes([seen.at, ...seen.body.slice(String(seen.at) === String(seen.body[0]) ? 1 : 0, -1)], "ghost") : [];
      group.append(...ghost, this.cross(seen.at), ...(now ? [this.caption(seen.at, deathText(death))] : []));
    }
    return titled(group, `${this.looks[snake].name}: ${deathText(death)}`);
  }

  /** The centre of a cell, or of the edge next to a cell that is off the board. */
  clamped([x, y]) {
    const { width, height } = this.game.data;
    return this.place([Math.min(Math.max(x, -0.5), width - 0.5), Math.min(Math.max(y, -0.5), height - 0.5)]);
  }

  cross(cell) {
    const [x, y] = this.clamped(cell);
    return svg("path", { class: "cross", d: `M${x - 0.26},${y - 0.26} l0.52,0.52 m0,-0.52 l-0.52,0.52` });
  }

  caption(cell, words) {
    const { width, height } = this.game.data;
    const [x, y] = this.clamped(cell);
    const size = Math.max(width, height) * TEXT_SIZE;
    const anchor = x < width / 3 ? "start" : x > (2 * width) / 3 ? "end" : "middle";
    const place = { x: Math.min(Math.max(x, 0.1), width - 0.1), y: y < 1 ? y + 0.4 + size : y - 0.45 };
    return svg("text", { ...place, class: "caption", "text-anchor": anchor, "font-size": size }, words);
  }
}

/** A mark in at most five letters: a score in hundredths, or a proven end and its turns. */
function markText({ score, outcome, exact }) {
  if (outcome) {
    return outcome.kind === "draw" ? "draw" : `${outcome.kind === "win" ? "W" : "L"}${outcome.turns}`;
  }
  const size = Math.abs(score).toFixed(2).replace(/^0/, "");
  return `${exact === false ? "≤" : ""}${score < 0 ? "−" : "+"}${size}`;
}
