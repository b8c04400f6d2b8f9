// The moves of all snakes, by default those of the expected line, which can be played as a turn.

import { html, refill, wordButton } from "/viewer/dom.js";
import { STEPS } from "/viewer/game.js";
import { ARROWS } from "/viewer/words.js";
import { swatch } from "../console.js";
import { field } from "./fields.js";

/** `played` is called with the chosen moves by the id of the snake, and returns what is to be said. */
export class Play {
  constructor(played) {
    this.played = played;
    this.moves = html("div", { class: "fields" });
    this.go = wordButton("play-turn", "Play the turn", () => this.play());
    this.said = html("p", { class: "note", role: "status", "data-part": "played" });
    this.element = html("div", {}, this.moves, html("div", { class: "row" }, this.go), this.said);
  }

  /** Shows the fields of a position; `first` is a Map of the expected moves by id. */
  show(position, looks, first) {
    const chosen = this.key === JSON.stringify(position.toBody()) ? this.byHand : new Map();
    Object.assign(this, { byHand: chosen, key: JSON.stringify(position.toBody()) });
    const fields = position.drawn.map((snake) => this.choice(snake, looks(snake.id), chosen.get(snake.id) ?? first.get(snake.id) ?? onward(position, snake)));
    refill(this.moves, ...fields);
    this.go.setAttribute("aria-disabled", String(!fields.length));
  }

  choice(snake, { name, colour }, move) {
    const names = Object.keys(ARROWS).map((each) => html("option", { value: each }, `${ARROWS[each]} ${each}`));
    const input = html("select", { "data-snake": snake.id, "data-key": `move-${snake.id}` }, ...names);
    input.value = move;
    input.addEventListener("change", () => this.byHand.set(snake.id, input.value));
    const { element } = field(name, input);
    element.firstElementChild.prepend(swatch(colour), " ");
    return element;
  }

  async play() {
    if (this.busy || !this.moves.children.length) {
      return;
    }
    this.busy = true;
    const inputs = [...this.moves.querySelectorAll("select")];
    this.said.textContent = await this.played(Object.fromEntries(inputs.map((input) => [input.dataset.snake, input.value])));
    this.busy = false;
  }
}

/** A move that goes on as the snake does, or the first that leads to a free cell. */
export function onward(position, { body }) {
  const [x, y] = body[0];
  const neck = body.find((cell) => String(cell) !== String(body[0])) ?? [x, y - 1];
  const ahead = (move) => [x + STEPS[move][0], y + STEPS[move][1]];
  const straight = Object.keys(STEPS).find((move) => String(ahead(move)) === String([2 * x - neck[0], 2 * y - neck[1]]));
  const free = (move) => move && position.has(ahead(move)) && !position.snakeAt(ahead(move));
  return [straight, ...Object.keys(STEPS)].find(free) ?? straight ?? "up";
}
