// The rules of the position and its snakes.

import { html, wordButton } from "/viewer/dom.js";
import { counted } from "/viewer/words.js";
import { swatch } from "./editor.js";
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
    this.element = html("div", { class: "setup" }, html("h3", {}, "Snakes"), this.list, this.add, html("h3", {}, "Rules"), rules, this.said);
  }

  /** Changes the size, unless a snake would not fit. */
  resize(width, height) {
    const { position } = this;
    const snake = position.snakes.findIndex(({ body }) => body.some(([x, y]) => x >= width || y >= height));
    this.change(() => snake < 0 && position.resize(width, height));
    this.said.textContent = snake < 0 ? "" : `${nameOf(position.snakes[snake], snake)} does not fit on ${width}×${height}.`;
  }

  change(action) {
    action();
    this.changed();
  }

  /** The snake that is drawn. */
  get snake() {
    return this.position.snakes.find(({ id }) => id === this.active);
  }

  addSnake() {
    this.change(() => {
      const snake = this.position.newSnake();
      this.position.snakes.push(snake);
      this.position.you ||= snake.id;
      this.active = snake.id;
    });
  }

  remove(snake) {
    this.change(() => {
      const { position } = this;
      position.snakes = position.snakes.filter((each) => each !== snake);
      position.you = position.you === snake.id ? (position.snakes[0]?.id ?? "") : position.you;
    });
  }

  show(position) {
    this.position = position;
    this.active = this.snake?.id ?? position.snakes[0]?.id;
    for (const [name, { input }] of Object.entries(this.fields)) {
      input.value = position[name];
    }
    this.add.disabled = position.snakes.length >= MOST_SNAKES;
    const focused = document.activeElement?.id;
    this.list.replaceChildren(...position.snakes.map((snake, index) => this.row(snake, index)));
    if (focused && this.list.contains(document.getElementById(focused))) {
      document.getElementById(focused).focus();
    }
  }

  row(snake, index) {
    const name = nameOf(snake, index);
    const health = numberField("Health", { min: 1, max: 100, id: `health-${index}` }, (value) => {
      this.change(() => (snake.health = value));
    });
    health.input.value = snake.health;
    health.input.setAttribute("aria-label", `Health of ${name}`);
    const remove = wordButton("remove-snake", "Remove", () => this.remove(snake));
    remove.setAttribute("aria-label", `Remove ${name}`);
    const length = snake.body.length ? `length ${snake.body.length}` : "not on the board";
    return html(
      "li", {}, html("div", { class: "who" }, swatch(snake.color), html("strong", {}, name), html("span", { class: "note" }, length), remove),
      this.pick("you", "To move", name, index, this.position.you === snake.id, () => (this.position.you = snake.id)),
      this.pick("active", "Draw", name, index, this.active === snake.id, () => (this.active = snake.id)), health.element,
    );
  }

  pick(group, words, name, index, checked, choose) {
    const input = html("input", { type: "radio", name: group, id: `${group}-${index}`, "aria-label": `${words}: ${name}` });
    input.checked = checked;
    input.addEventListener("change", () => this.change(choose));
    return html("label", { class: "check" }, input, words);
  }
}

function nameOf(snake, index) {
  return snake.name || `Snake ${index + 1}`;
}

/** The position in a few words. */
export function describe({ ruleset, width, height, turn, drawn }) {
  return `${ruleset}, ${width}×${height}, turn ${turn}, ${counted(drawn.length, "snake")}`;
}
