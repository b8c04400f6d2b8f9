// Changes of a position on the viewer's board: by pointer, or by keys that move a cursor. Without the mode, the board is to look at.

import { html, tell, wordButton } from "/viewer/dom.js";
import { STEPS } from "/viewer/game.js";

const TOOLS = { snake: "Snake", food: "Food", hazard: "Hazard", erase: "Erase" };
const HELP = "Arrow keys move the cursor; Space uses the tool; Backspace erases; S, F, H and E choose a tool; Ctrl+Z takes back, Ctrl+Shift+Z does again.";
const ARROW_KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/**
 * Edits `position()` on a viewer's board. `snake` returns the snake that is drawn; `changed` is called after each change,
 * `undo` and `redo` when one is taken back or done again.
 */
export class Editor {
  constructor(viewer, { position, snake, changed, undo, redo }) {
    Object.assign(this, { viewer, position, snake, changed, undo, redo });
    this.cursor = [0, 0];
    this.tool = "snake";
    this.on = false;
    this.cell = html("p", { class: "note", id: "editor-cell", "aria-live": "polite" });
    this.tools = this.toolbar();
    this.undoButton = wordButton("undo", "Undo", undo);
    this.redoButton = wordButton("redo", "Redo", redo);
    const help = html("p", { class: "note", id: "editor-help" }, HELP);
    this.element = html("div", { class: "editor", hidden: "" }, this.tools, html("div", { class: "row" }, this.undoButton, this.redoButton), this.cell, help);
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

  /** Begins or ends the mode. */
  toggle(on) {
    const { stage } = this.viewer;
    this.on = on;
    this.element.hidden = !on;
    stage.classList.toggle("editable", on);
    stage.setAttribute("role", on ? "application" : "group");
    stage.setAttribute("aria-label", on ? "Board editor" : "Board; keys step through the game");
    stage.setAttribute("aria-describedby", on ? "editor-help editor-cell" : "viewer-keys");
    this.drawCursor();
  }

  listen() {
    const { stage, boardElement } = this.viewer;
    stage.addEventListener("keydown", (event) => this.on && this.key(event));
    ["focus", "blur"].forEach((name) => stage.addEventListener(name, () => this.drawCursor()));
    document.addEventListener("keydown", (event) => this.on && this.history(event));
    boardElement.addEventListener("pointerdown", (event) => {
      if (this.on) {
        event.preventDefault();
        stage.focus({ preventScroll: true });
        boardElement.setPointerCapture(event.pointerId);
        this.last = null;
        this.drag(event);
      }
    });
    boardElement.addEventListener("pointermove", (event) => boardElement.hasPointerCapture(event.pointerId) && this.drag(event));
  }

  drag(event) {
    const { boardElement } = this.viewer;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(boardElement.getScreenCTM().inverse());
    const cell = [Math.floor(x), this.position().height - 1 - Math.floor(y)];
    if (this.position().has(cell) && String(cell) !== String(this.last)) {
      this.last = this.cursor = cell;
      this.use(this.tool);
    }
  }

  /** Takes back or does again, unless a field has the keys. */
  history(event) {
    const name = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(name) && !event.target.matches("input:not([type=radio]), textarea")) {
      event.preventDefault();
      (name === "y" || event.shiftKey ? this.redo : this.undo)();
    }
  }

  key(event) {
    const move = ARROW_KEYS[event.key];
    const tool = Object.keys(TOOLS).find((each) => each[0] === event.key.toLowerCase());
    if (event.ctrlKey || event.metaKey || event.altKey || !(move || tool || [" ", "Enter", "Backspace", "Delete"].includes(event.key))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (move) {
      const next = this.cursor.map((value, place) => value + STEPS[move][place]);
      this.cursor = this.position().has(next) ? next : this.cursor;
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
    const { cursor } = this;
    const position = this.position();
    const actions = {
      snake: () => this.snake() && position.drawSnake(this.snake(), cursor),
      food: () => position.addFood(cursor),
      hazard: () => position.addHazard(cursor),
      erase: () => position.erase(cursor),
    };
    actions[tool]();
    this.changed();
  }

  /** Shows which changes can be taken back or done again. */
  show({ past, future }) {
    // A disabled button would lose the focus.
    this.undoButton.setAttribute("aria-disabled", String(!past.length));
    this.redoButton.setAttribute("aria-disabled", String(!future.length));
    this.drawCursor();
  }

  drawCursor() {
    const { boardElement, board, stage } = this.viewer;
    boardElement.querySelector(".cursor-cell")?.remove();
    if (this.on && board) {
      this.cursor = this.position().has(this.cursor) ? this.cursor : [0, 0];
      if (stage === document.activeElement) {
        boardElement.append(board.square(this.cursor, { class: "cursor-cell" }));
      }
      tell(this.cell, this.cellText());
    }
  }

  cellText() {
    const { cursor } = this;
    const position = this.position();
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
