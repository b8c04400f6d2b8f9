// The rules of the position and its snakes, while it is edited.

import { html, refill, wordButton } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";
import { swatch } from "../console.js";
import { choiceField, numberField } from "./fields.js";
import { MOST_CELLS, MOST_SNAKES } from "./position.js";

const RULESETS = ["standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor"];
const SIDE = { min: 1, max: MOST_CELLS };

/** Fields for a position. `active` is the id of the snake that is drawn; `changed` is called after each change. */
export class Setup {
  constructor(changed) {
    this.changed = changed;
    const set = (name) => (value) => this.change(() => (this.position[name] = value));
    this.fields = {
      ruleset: choiceField("Ruleset", RULESETS, set("ruleset")),
      width: numberField("Width", SIDE, (value) => this.resize(value, this.position.height)),
      height: numberField("Height", SIDE, (value) => this.resize(this.position.width, value)),
      hazardDamage: numberField("Hazard damage", { min: -100, max: 100 }, set("hazardDamage")),
      turn: numberField("Turn", { min: 0, max: 60_000 }, set("turn")),
    };
    this.list = html("ul", { class: "snakes" });
    this.add = wordButton("add-snake", "Add a snake", () => this.addSnake());
    this.said = html("p", { class: "note", role: "status", "data-part": "size-said" });
    const rules = html("div", { class: "fields" }, ...Object.values(this.fields).map(({ element }) => element));
    this.element = html("div", { class: "setup" }, html("h2", {}, "Snakes"), this.list, this.add, html("h2", {}, "Rules"), rules, this.said);
  }

  /** Changes the size, unless a snake would not fit. */
  resize(width, height) {
    const { position } = this;
    const snake = position.snakes.findIndex(({ body }) => body.some(([x, y]) => x >= width || y >= height));
    if (snake < 0) {
      this.change(() => position.resize(width, height));
    } else {
      this.show(position);
    }
    this.said.textContent = snake < 0 ? "" : `${looksOf(position.snakes)[snake].name} does not fit on ${width}×${height}.`;
  }

  change(action) {
    action();
    this.changed();
  }

  /** The snake that is drawn. */
  get snake() {
    return this.position?.snakes.find(({ id }) => id === this.active);
  }

  addSnake() {
    this.change(() => {
      const snake = this.position.newSnake();
      this.position.snakes.push(snake);
      this.active = snake.id;
    });
  }

  remove(snake) {
    this.change(() => (this.position.snakes = this.position.snakes.filter((each) => each !== snake)));
    // The row with the focus is gone.
    this.add.focus();
  }

  show(position) {
    this.position = position;
    this.active = this.snake?.id ?? position.snakes[0]?.id;
    for (const [name, { input }] of Object.entries(this.fields)) {
      input.value = position[name];
    }
    this.add.disabled = position.snakes.length >= MOST_SNAKES;
    const looks = looksOf(position.snakes);
    refill(this.list, ...position.snakes.map((snake, index) => this.row(snake, index, looks[index])));
  }

  row(snake, index, { name, colour }) {
    const health = numberField("Health", { min: 1, max: 100, id: `health-${index}`, "data-key": `health-${index}` }, (value) => {
      this.change(() => (snake.health = value));
    });
    health.input.value = snake.health;
    health.input.setAttribute("aria-label", `Health of ${name}`);
    const remove = wordButton("remove-snake", "Remove", () => this.remove(snake));
    remove.setAttribute("aria-label", `Remove ${name}`);
    const length = snake.body.length ? `length ${snake.body.length}` : "not on the board";
    const draw = html("input", { type: "radio", name: "active", id: `active-${index}`, "data-key": `active-${index}`, "aria-label": `Draw: ${name}` });
    draw.checked = this.active === snake.id;
    draw.addEventListener("change", () => (this.active = snake.id));
    const who = html("div", { class: "who" }, swatch(colour), html("strong", { class: "name" }, name), html("span", { class: "note" }, length), remove);
    return html("li", {}, who, html("label", { class: "check" }, draw, "Draw"), health.element);
  }
}
