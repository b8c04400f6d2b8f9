// Draws a frame as SVG, one unit to a cell, y upwards as the game counts it.

const MARGIN = 0.25;
const TEXT_SIZE = 0.045;
const TAPER = "M-1,-0.37 L-0.5,-0.35 Q0.1,-0.28 0.34,-0.1 Q0.42,0 0.34,0.1 Q0.1,0.28 -0.5,0.35 L-1,0.37 Z";
const SKULL_CAP = "M-0.5,-0.37 L0,-0.37 Q0.44,-0.37 0.44,0 Q0.44,0.37 0,0.37 L-0.5,0.37 Z";

/** An SVG element with attributes and children. */
function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function titled(element, words) {
  element.prepend(svg("title", {}, words));
  return element;
}

class Board {
  constructor(element, match, colours, names) {
    this.element = element;
    this.match = match;
    this.colours = colours;
    this.names = names;
    const size = [match.width + 2 * MARGIN, match.height + 2 * MARGIN];
    element.setAttribute("viewBox", [-MARGIN, -MARGIN, ...size].join(" "));
    this.grid = this.cells();
  }

  /** The centre of a cell. */
  place([x, y]) {
    return [x + 0.5, this.match.height - y - 0.5];
  }

  /** Shows a frame; `shownPvs` are the snakes whose principal variation is drawn. */
  draw(replay, frame, shownPvs) {
    const layers = [this.grid, this.hazards(replay, frame), this.food(replay, frame)];
    const alive = [...replay.snakes.keys()].filter((snake) => replay.isAlive(snake, frame));
    layers.push(...alive.map((snake) => this.body(snake, replay.body(snake, frame))));
    layers.push(...shownPvs.map((snake) => this.pv(replay, frame, snake)));
    layers.push(...alive.map((snake) => this.head(snake, replay.body(snake, frame))));
    replay.snakes.forEach((track, snake) => {
      if (track.death && track.death.frame <= frame) {
        layers.push(this.fallen(replay, frame, snake));
      }
    });
    this.element.replaceChildren(...layers);
  }

  cells() {
    const group = svg("g", { class: "cells" });
    for (let x = 0; x < this.match.width; x++) {
      for (let y = 0; y < this.match.height; y++) {
        group.append(svg("rect", { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.08 }));
      }
    }
    return group;
  }

  hazards(replay, frame) {
    const group = svg("g", { class: "hazards" });
    for (const [cell, layers] of replay.hazards(frame)) {
      const [x, y] = this.place(cell);
      const shade = 1 - 0.72 ** layers;
      const place = { x: x - 0.5, y: y - 0.5, width: 1, height: 1, "fill-opacity": shade.toFixed(3) };
      const words = layers === 1 ? "hazard" : `hazard, ${layers} layers`;
      group.append(titled(svg("rect", { ...place, "data-cell": cell.join(), "data-layers": layers }), words));
    }
    return group;
  }

  food(replay, frame) {
    const group = svg("g", { class: "food" });
    for (const cell of replay.food(frame)) {
      const [cx, cy] = this.place(cell);
      group.append(titled(svg("circle", { cx, cy, r: 0.24, "data-cell": cell.join() }), "food"));
    }
    return group;
  }

  body(snake, body) {
    const group = svg("g", { class: "snake", "data-snake": snake, "data-cells": body.map(String).join(" ") });
    group.style.setProperty("--colour", this.colours[snake]);
    const unfolded = body.length > 1 && String(body[body.length - 1]) !== String(body[body.length - 2]);
    group.append(...this.strokes(unfolded ? body.slice(0, -1) : body, "body"));
    if (unfolded) {
      const [tail, before] = [body[body.length - 1], body[body.length - 2]];
      group.append(svg("path", { class: "tail", d: TAPER, transform: this.facing(tail, before, tail) }));
    }
    return titled(group, this.names[snake]);
  }

  head(snake, body) {
    const [cell] = body;
    const neck = body.find((other) => String(other) !== String(cell)) ?? [cell[0], cell[1] - 1];
    const head = svg("g", { class: "head", transform: this.facing(cell, neck, cell) });
    head.style.setProperty("--colour", this.colours[snake]);
    head.append(svg("path", { d: SKULL_CAP, class: "skull" }));
    for (const y of [-0.19, 0.19]) {
      head.append(svg("circle", { cx: 0.08, cy: y, r: 0.125, class: "eye" }));
      head.append(svg("circle", { cx: 0.125, cy: y, r: 0.065, class: "pupil" }));
    }
    return head;
  }

  /** A transform to the centre of a cell, turned so that x points from one cell to the next. */
  facing(cell, from, to) {
    const [dx, dy] = this.step(from, to);
    const angle = (Math.atan2(-dy, dx) * 180) / Math.PI;
    return `translate(${this.place(cell)}) rotate(${angle})`;
  }

  /** The step between neighbours, across a seam as well. */
  step([x1, y1], [x2, y2]) {
    const across = [x2 - x1, y2 - y1];
    return across.map((distance) => (Math.abs(distance) > 1 ? -Math.sign(distance) : distance));
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

  /** The principal variation of a snake: where its player expects every snake to go. */
  pv(replay, frame, thinker) {
    const group = svg("g", { class: "pv", "data-snake": thinker });
    const decision = replay.decision(thinker, frame);
    if (decision) {
      decision.pv.forEach((moves, snake) => {
        if (moves && replay.isAlive(snake, frame)) {
          const path = replay.path(snake, frame, moves);
          const part = svg("g", {}, ...this.strokes(path, "path"));
          const [cx, cy] = this.place(path[path.length - 1]);
          part.append(svg("circle", { cx, cy, r: 0.13, class: "end" }));
          part.style.setProperty("--colour", this.colours[snake]);
          group.append(part);
        }
      });
    }
    return group;
  }

  /** Where a snake died: with its body and the cause in the first frame after its death, later a mark alone. */
  fallen(replay, frame, snake) {
    const { frame: since, cause, at } = replay.snakes[snake].death;
    const now = since === frame;
    const group = svg("g", { class: now ? "fallen" : "fallen old", "data-snake": snake, "data-cause": cause });
    group.style.setProperty("--colour", this.colours[snake]);
    const { width, height } = this.match;
    const clamped = [Math.min(Math.max(at[0], -0.5), width - 0.5), Math.min(Math.max(at[1], -0.5), height - 0.5)];
    const [x, y] = this.place(clamped);
    if (now) {
      group.append(...this.strokes([at, ...replay.body(snake, frame - 1).slice(0, -1)], "ghost"));
    }
    const strokes = `M${x - 0.26},${y - 0.26} l0.52,0.52 m0,-0.52 l-0.52,0.52`;
    group.append(svg("path", { class: "cross", d: strokes }));
    if (now) {
      const size = Math.max(width, height) * TEXT_SIZE;
      const anchor = x < width / 3 ? "start" : x > (2 * width) / 3 ? "end" : "middle";
      const within = Math.min(Math.max(x, 0.1), width - 0.1);
      const place = { x: within, y: y < 1 ? y + 0.4 + size : y - 0.45, "text-anchor": anchor, "font-size": size };
      group.append(svg("text", place, this.match.causes[cause] ?? cause));
    }
    return titled(group, `${this.names[snake]}: ${cause}`);
  }
}
