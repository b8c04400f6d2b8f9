// The lines that were tried, as a tree: the game, turns that were played or expected in another way, edited positions.

import { html, refill } from "/viewer/dom.js";
import { ARROWS } from "/viewer/words.js";

const ARROWS_SHOWN = 12;

/**
 * A line has its `game`, its `parent` line and the turn `from` which it leaves it, and `words` about itself. A line that was
 * edited has `edits`: the positions of the past and of the future, and the present one as `position`.
 */
export class Lines {
  /** `opened` is called with the line that the reader has chosen. */
  constructor(opened) {
    this.opened = opened;
    this.all = [];
    this.list = html("ul", { class: "tree", "data-part": "lines" });
    this.note = html("p", { class: "note" }, "Moves that you play, expected lines that you open and positions that you edit are kept here.");
    this.element = html("div", {}, this.list, this.note);
  }

  add(line) {
    this.all.push(line);
    return line;
  }

  /** The child of a line that leaves it at a turn with these moves by index, if there is one. */
  childOf(parent, from, moves) {
    return this.all.find((line) => line.parent === parent && line.from === from && !line.edits && goesAlong(line.game, from, moves));
  }

  show(current, chosen) {
    const branch = (parent) => this.all.filter((line) => line.parent === parent).map((line) => {
      const button = html("button", { type: "button", class: "line", "data-key": `line-${this.all.indexOf(line)}` }, textOf(line, chosen));
      if (line === current) {
        button.setAttribute("aria-current", "true");
      }
      button.addEventListener("click", () => this.opened(line));
      const children = branch(line);
      return html("li", {}, button, ...(children.length ? [html("ul", {}, ...children)] : []));
    });
    refill(this.list, ...branch(null));
    this.note.hidden = this.all.length > 1;
  }
}

/** Whether a game goes on from a turn with these moves. */
export function goesAlong(game, from, moves) {
  return Boolean(game.at(from + 1)) && moves.every((move, snake) => !game.snake(snake, from) || game.made(snake, from) === move);
}

/** "The game", or "Turn 57: ↑ ↑ ←" with the moves of the snake with the chosen id. */
function textOf({ game, parent, from, words }, chosen) {
  if (words) {
    return words;
  }
  const snake = Math.max(game.snakes.findIndex(({ id }) => id === chosen), 0);
  const turns = game.numbers.filter((turn) => turn >= from && turn < game.last);
  const moves = turns.map((turn) => ARROWS[game.made(snake, turn)] ?? "†");
  const more = moves.length > ARROWS_SHOWN ? " …" : "";
  return parent ? `Turn ${from}: ${moves.slice(0, ARROWS_SHOWN).join(" ")}${more}` : `Turn ${game.first}`;
}
