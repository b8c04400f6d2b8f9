// A position that can be edited: what the body of a /move request has, with cells as [x, y].

import { Game } from "/viewer/game.js";
import { PALETTE } from "/viewer/looks.js";
import { Problem } from "../console.js";

export const MOST_SNAKES = 8;
export const MOST_CELLS = 25;

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const cellOf = ({ x, y }) => [x, y];
const pointOf = ([x, y]) => ({ x, y });
const colourOf = (color, index) => color || PALETTE[index % PALETTE.length];

/** A duel on 11x11 to begin with. */
export function startPosition() {
  const position = new Position({ width: 11, height: 11, food: [[5, 5]], hazards: [] });
  position.snakes = [position.newSnake([[2, 4], [2, 3], [2, 2]]), null];
  position.snakes[1] = position.newSnake([[8, 6], [8, 7], [8, 8]]);
  position.you = position.snakes[0].id;
  return position;
}

export class Position {
  constructor(values) {
    Object.assign(this, {
      id: "analysis", ruleset: "standard", map: "standard", hazardDamage: 14, shrinkEvery: 0, timeout: 500, turn: 0,
      snakes: [], food: [], hazards: [], you: "",
    }, values);
  }

  /** The position in a /move body. Throws a Problem with the field that is missing. */
  static fromBody(body) {
    if (!body?.board) {
      throw new Problem("This is no body of a /move request: it has no board.");
    }
    for (const field of ["board.width", "board.height", "board.snakes"]) {
      if (field.split(".").reduce((value, name) => value?.[name], body) === undefined) {
        throw new Problem(`This is no body of a /move request: ${field} is missing.`);
      }
    }
    const { board, game = {} } = body;
    for (const side of ["width", "height"]) {
      if (!(board[side] >= 1 && board[side] <= MOST_CELLS)) {
        throw new Problem(`board.${side} is ${board[side]}; valid: 1 to ${MOST_CELLS}.`);
      }
    }
    const settings = game.ruleset?.settings ?? {};
    const snakes = board.snakes.map((snake, index) => {
      const { color, head, tail } = snake.customizations ?? {};
      const looks = { color: colourOf(color, index), head: head ?? "default", tail: tail ?? "default" };
      return { id: String(snake.id), name: snake.name || "", health: snake.health ?? 100, body: snake.body.map(cellOf), ...looks };
    });
    return new Position({
      id: game.id || "analysis", ruleset: game.ruleset?.name || "standard", map: game.map || "",
      hazardDamage: settings.hazardDamagePerTurn ?? 0, shrinkEvery: settings.royale?.shrinkEveryNTurns ?? 0,
      timeout: game.timeout || 500, turn: body.turn ?? 0, width: board.width, height: board.height,
      food: (board.food ?? []).map(cellOf), hazards: (board.hazards ?? []).map(cellOf), snakes,
      you: snakes.some(({ id }) => id === body.you?.id) ? body.you.id : (snakes[0]?.id ?? ""),
    });
  }

  /** The position of a turn of a game; `you` is the id of the snake to move. */
  static ofTurn({ data }, turn, you) {
    const snakes = data.snakes.flatMap(({ id, name, color, head, tail }, index) => {
      const placed = turn.snakes[index];
      return placed ? [{ id: id || String(index), name, color: colourOf(color, index), head, tail, ...placed }] : [];
    });
    const settings = data.settings ?? {};
    return new Position({
      id: data.id, ruleset: data.ruleset, map: data.map, width: data.width, height: data.height,
      hazardDamage: settings.hazardDamagePerTurn ?? 14, shrinkEvery: settings.royale?.shrinkEveryNTurns ?? 0,
      timeout: data.timeout_ms || 500, turn: turn.turn, food: turn.food, hazards: turn.hazards, snakes: structuredClone(snakes), you,
    });
  }

  copy() {
    return new Position(structuredClone({ ...this }));
  }

  /** The body of a /move request. Snakes without a cell are left out. */
  toBody() {
    const snakes = this.drawn.map((snake) => ({
      id: snake.id, name: snake.name, health: snake.health, body: snake.body.map(pointOf), head: pointOf(snake.body[0]),
      length: snake.body.length, latency: "0", customizations: { color: snake.color, head: snake.head, tail: snake.tail },
    }));
    return {
      game: { id: this.id, ruleset: { name: this.ruleset, settings: this.settings }, map: this.map, timeout: this.timeout },
      turn: this.turn,
      board: { width: this.width, height: this.height, food: this.food.map(pointOf), hazards: this.hazards.map(pointOf), snakes },
      you: snakes.find(({ id }) => id === this.you) ?? snakes[0] ?? null,
    };
  }

  get settings() {
    return { foodSpawnChance: 15, minimumFood: 1, hazardDamagePerTurn: this.hazardDamage, royale: { shrinkEveryNTurns: this.shrinkEvery } };
  }

  /** The position as a game of one turn, for the viewer, with the decision of the snake to move, if there is one. */
  toGame(decision = null) {
    const { drawn, settings, id, ruleset, map, width, height, timeout } = this;
    const placed = drawn.map(({ body, health }) => ({ body, health }));
    const decisions = drawn.map((snake) => (snake.id === this.you ? decision : null));
    const turn = { turn: this.turn, food: this.food, hazards: this.hazards, snakes: placed, deaths: [], decisions };
    const facts = { id, ruleset, map, width, height, settings, timeout_ms: timeout, source: "analysis", over: false, result: null };
    return new Game({ ...facts, snakes: drawn.map((snake) => ({ ...snake, ours: snake.id === this.you })), turns: [turn] });
  }

  /** The snakes that are on the board. */
  get drawn() {
    return this.snakes.filter(({ body }) => body.length);
  }

  get wrapped() {
    return this.ruleset.startsWith("wrapped");
  }

  newSnake(body = []) {
    const number = [...Array(MOST_SNAKES).keys()].find((each) => !this.snakes.some((snake) => snake?.id === `snake-${each + 1}`));
    return { id: `snake-${number + 1}`, name: `Snake ${number + 1}`, health: 100, body, color: PALETTE[number], head: "default", tail: "default" };
  }

  has([x, y]) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** The snake on a cell, else undefined. */
  snakeAt(cell) {
    return this.snakes.find(({ body }) => body.some((part) => same(part, cell)));
  }

  hasFood(cell) {
    return this.food.some((each) => same(each, cell));
  }

  layers(cell) {
    return this.hazards.filter((each) => same(each, cell)).length;
  }

  joins(one, other) {
    const around = (distance, side) => (this.wrapped ? Math.min(distance, side - distance) : distance);
    return around(Math.abs(one[0] - other[0]), this.width) + around(Math.abs(one[1] - other[1]), this.height) === 1;
  }

  /** Draws a snake: a cell next to its tail makes it longer, the one before the tail shorter, another begins it anew. */
  drawSnake(snake, cell) {
    const { body } = snake;
    const tail = body[body.length - 1];
    if (body.length > 1 && same(body[body.length - 2], cell)) {
      body.pop();
    } else if (!this.snakeAt(cell)) {
      snake.body = tail && this.joins(tail, cell) ? [...body, cell] : [cell];
      this.food = this.food.filter((each) => !same(each, cell));
    }
  }

  addFood(cell) {
    if (!this.hasFood(cell) && !this.snakeAt(cell)) {
      this.food = [...this.food, cell];
    }
  }

  addHazard(cell) {
    this.hazards = [...this.hazards, cell];
  }

  /** Removes the part of a snake with all behind it, else food, else one layer of hazard. */
  erase(cell) {
    const snake = this.snakeAt(cell);
    if (snake) {
      snake.body = snake.body.slice(0, snake.body.findIndex((part) => same(part, cell)));
    } else if (this.hasFood(cell)) {
      this.food = this.food.filter((each) => !same(each, cell));
    } else if (this.layers(cell)) {
      this.hazards = this.hazards.toSpliced(this.hazards.findIndex((each) => same(each, cell)), 1);
    }
  }

  /** Changes the size of the board, on which all snakes fit; food and hazards outside are dropped. */
  resize(width, height) {
    Object.assign(this, { width, height });
    this.food = this.food.filter((cell) => this.has(cell));
    this.hazards = this.hazards.filter((cell) => this.has(cell));
  }
}
