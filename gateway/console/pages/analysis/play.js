// The moves of all snakes, by default those of the expected line, and the turns that were played.

import { html, wordButton } from "/viewer/dom.js";
import { ARROWS, causeText } from "/viewer/words.js";
import { advance } from "./api.js";
import { swatch } from "./editor.js";
import { field } from "./fields.js";

const STEPS = { up: [0, 1], down: [0, -1], left: [-1, 0], right: [1, 0] };

/** `question` returns {position, searcher}; `went` is called with the next position, or a former one. */
export class Play {
  constructor({ question, went }) {
    this.question = question;
    this.went = went;
    this.past = [];
    this.inputs = new Map();
    this.moves = html("div", { class: "fields" });
    this.go = wordButton("play", "Play the turn", () => this.play());
    this.back = wordButton("back", "Back", () => this.goBack());
    this.said = html("p", { class: "note", role: "status", "data-part": "played" });
    this.element = html("div", {}, this.moves, html("div", { class: "row" }, this.go, this.back), this.said);
  }

  /** Forgets the turns, which were played from another position. */
  forget() {
    this.past = [];
    this.said.textContent = "";
  }

  show(position, decision) {
    this.position = position;
    const first = decision?.pv?.[0] ?? [];
    const fields = position.drawn.map((snake, index) => this.choice(snake, first[index] ?? onward(position, snake)));
    this.moves.replaceChildren(...fields);
    this.go.disabled = !fields.length;
    this.back.disabled = !this.past.length;
  }

  choice(snake, move) {
    const names = Object.keys(ARROWS).map((each) => html("option", { value: each }, `${ARROWS[each]} ${each}`));
    const input = html("select", { "data-snake": snake.id }, ...names);
    input.value = move;
    this.inputs.set(snake.id, input);
    const { element } = field(snake.name || snake.id, input);
    element.firstElementChild.prepend(swatch(snake.color), " ");
    return element;
  }

  async play() {
    const { position } = this;
    const moves = Object.fromEntries(position.drawn.map(({ id }) => [id, this.inputs.get(id).value]));
    this.go.disabled = true;
    try {
      const after = await advance({ ...this.question(), moves });
      if (position === this.position) {
        this.past.push(position.copy());
        this.went(this.after(position, after));
        this.tell(position, after);
      }
    } catch (error) {
      this.said.textContent = error.message;
    }
    this.go.disabled = !this.position.drawn.length;
  }

  after(position, { turn, board }) {
    const next = position.copy();
    const bodies = new Map(board.snakes.map(({ id, health, body }) => [id, { health, body: body.map(({ x, y }) => [x, y]) }]));
    next.snakes = position.drawn.filter(({ id }) => bodies.has(id)).map((snake) => ({ ...snake, ...bodies.get(snake.id) }));
    next.food = board.food.map(({ x, y }) => [x, y]);
    next.turn = turn;
    next.you = bodies.has(position.you) ? position.you : (next.snakes[0]?.id ?? "");
    return next;
  }

  tell(before, { turn, deaths, over }) {
    const nameOf = (id) => before.snakes.find((each) => each.id === id)?.name || id;
    const died = deaths.map(({ snake, cause }) => `${nameOf(snake)} died: ${causeText(cause)}.`);
    this.said.textContent = [`Turn ${turn}.`, ...died, over ? "The game is over." : ""].filter(Boolean).join(" ");
  }

  goBack() {
    const former = this.past.pop();
    this.went(former);
    this.said.textContent = `Back at turn ${former.turn}.`;
  }
}

/** A move that goes on as the snake does, or the first that leads to a free cell. */
function onward(position, { body }) {
  const [x, y] = body[0];
  const neck = body.find((cell) => String(cell) !== String(body[0])) ?? [x, y - 1];
  const ahead = (move) => [x + STEPS[move][0], y + STEPS[move][1]];
  const straight = Object.keys(STEPS).find((move) => String(ahead(move)) === String([2 * x - neck[0], 2 * y - neck[1]]));
  const free = (move) => move && position.has(ahead(move)) && !position.snakeAt(ahead(move));
  return [straight, ...Object.keys(STEPS)].find(free) ?? straight ?? "up";
}
