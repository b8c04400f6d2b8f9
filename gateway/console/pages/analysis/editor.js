// The board that is edited: by pointer, or by keys that move a cursor.

import { Board } from "/viewer/board.js";
import { html, styled, svg } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";

const TOOLS = { snake: "Snake", food: "Food", hazard: "Hazard", erase: "Erase" };
const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const HELP = "Arrow keys move the cursor; Space uses the tool; Backspace erases; S, F, H and E choose a tool.";

/** Edits a position. `snake` returns the snake that is drawn; `changed` is called after each change. */
export class Editor {
  constructor({ snake, changed }) {
    this.snake = snake;
    this.changed = changed;
    this.cursor = [0, 0];
    this.tool = "snake";
    this.svg = svg("svg", { class: "board", role: "img", "aria-label": "Board" });
    const stage = { class: "stage editable", "data-part": "stage", tabindex: 0, role: "application" };
    this.stage = html("div", { ...stage, "aria-label": "Board editor", "aria-describedby": "editor-help editor-cell" }, this.svg);
    this.cell = html("p", { class: "note", id: "editor-cell", "aria-live": "polite" });
    this.tools = this.toolbar();
    this.element = html("div", {}, this.stage, this.cell, this.tools, html("p", { class: "note", id: "editor-help" }, HELP));
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.stage.addEventListener("focus", () => this.drawCursor());
    this.stage.addEventListener("blur", () => this.drawCursor());
    this.listen();
  }

  toolbar() {
    const buttons = Object.entries(TOOLS).map(([tool, words]) => {
      const input = html("input", { type: "radio", name: "tool", value: tool });
      input.checked = tool === this.tool;
      input.addEventListener("change", () => (this.tool = tool));
      return html("label", { class: "tool" }, input, html("span", {}, words));
    });
    return html("fieldset", { class: "toolbar" }, html("legend", {}, "Draw"), ...buttons);
  }

  listen() {
    this.svg.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.stage.focus({ preventScroll: true });
      this.svg.setPointerCapture(event.pointerId);
      this.last = null;
      this.drag(event);
    });
    this.svg.addEventListener("pointermove", (event) => this.svg.hasPointerCapture(event.pointerId) && this.drag(event));
  }

  drag(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const cell = [Math.floor(x), this.position.height - 1 - Math.floor(y)];
    if (this.position.has(cell) && String(cell) !== String(this.last)) {
      this.last = this.cursor = cell;
      this.use(this.tool);
    }
  }

  key(event) {
    const step = STEPS[event.key];
    const tool = Object.keys(TOOLS).find((each) => each[0] === event.key.toLowerCase());
    if (event.ctrlKey || event.metaKey || event.altKey || !(step || tool || [" ", "Enter", "Backspace", "Delete"].includes(event.key))) {
      return;
    }
    event.preventDefault();
    if (step) {
      const next = [this.cursor[0] + step[0], this.cursor[1] + step[1]];
      this.cursor = this.position.has(next) ? next : this.cursor;
      this.drawCursor();
    } else if (tool) {
      this.tool = tool;
      this.tools.querySelector(`[value=${tool}]`).checked = true;
    } else {
      this.use(event.key === " " || event.key === "Enter" ? this.tool : "erase");
    }
  }

  /** Uses a tool on the cursor's cell. */
  use(tool) {
    const { position, cursor } = this;
    const actions = {
      snake: () => this.snake() && position.drawSnake(this.snake(), cursor),
      food: () => position.addFood(cursor),
      hazard: () => position.addHazard(cursor),
      erase: () => position.erase(cursor),
    };
    actions[tool]();
    this.changed();
  }

  /** Shows a position, as a game of one turn with the expected lines of some snakes. */
  show(position, game, pvs) {
    this.position = position;
    this.cursor = position.has(this.cursor) ? this.cursor : [0, 0];
    this.board = new Board(this.svg, game, looksOf(game.snakes));
    this.board.draw(position.turn, { pvs, territory: false });
    this.svg.setAttribute("aria-label", `Board, turn ${position.turn}`);
    this.drawCursor();
  }

  drawCursor() {
    this.svg.querySelector(".cursor-cell")?.remove();
    const focused = this.stage === document.activeElement;
    if (focused) {
      this.svg.append(this.board.square(this.cursor, { class: "cursor-cell" }));
    }
    this.cell.textContent = this.cellText();
  }

  cellText() {
    const { position, cursor } = this;
    const snake = position.snakeAt(cursor);
    const part = snake && (String(snake.body[0]) === String(cursor) ? "head" : "body");
    const layers = position.layers(cursor);
    const things = [
      snake && `${snake.name || "snake"}, ${part}`, position.hasFood(cursor) && "food",
      layers && (layers === 1 ? "hazard" : `hazard, ${layers} layers`),
    ].filter(Boolean);
    return `Cell ${cursor.join(", ")}: ${things.join("; ") || "free"}`;
  }
}

/** A mark in a snake's colour. */
export function swatch(colour) {
  return styled(html("span", { class: "swatch", "aria-hidden": "true" }), "--colour", colour);
}
