// What can be opened: the body of a /move request, a file of the official engine, or the address of a game. It is dropped
// or pasted anywhere on the page, or written into the field.

import { copyText, html, wordButton } from "/viewer/dom.js";
import { Game } from "/viewer/game.js";
import { linkTo, post, Problem, wordsOf } from "../console.js";
import { read } from "./api.js";
import { field } from "./fields.js";
import { Position } from "./position.js";

const LABEL = "Paste the body of a /move request, or the address of a game on a server. The page also takes them, and files, wherever you paste or drop them.";

const TOO_LARGE_STATUS = 413;
const TOO_LONG = "The game is too long to be kept from here: `python -m gateway games import FILE` keeps its file.";

/** `position` is called with what a /move body holds, `game` with a whole game; `present` returns the position that is shown. */
export class Opener {
  constructor({ position, game, present }) {
    Object.assign(this, { position, game });
    const paste = field(LABEL, html("textarea", { rows: 3, spellcheck: "false", "data-part": "paste" }));
    this.input = paste.input;
    this.said = html("p", { class: "note", role: "status", "data-part": "opened" });
    const open = wordButton("open", "Open", () => this.open(this.input.value));
    this.keep = wordButton("keep", "Keep the game, to review it", () => this.keepFile());
    this.keep.hidden = true;
    const copy = wordButton("copy-body", "Copy the position", () => this.copy(JSON.stringify(present().toBody(), null, 1)));
    this.element = html("div", {}, paste.element, html("div", { class: "row" }, open, copy, this.keep), this.said);
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.drop(event));
    document.addEventListener("paste", (event) => {
      if (!event.target.closest("input, textarea")) {
        this.take(event.clipboardData);
      }
    });
  }

  drop(event) {
    event.preventDefault();
    this.take(event.dataTransfer);
  }

  async take(data) {
    const [file] = data.files;
    const text = file ? await file.text() : data.getData("text/plain");
    if (text) {
      await this.open(text);
    }
  }

  async open(text) {
    this.keep.hidden = true;
    try {
      this.said.textContent = await this.opened(text.trim());
    } catch (error) {
      this.said.textContent = wordsOf(error);
    }
  }

  async opened(text) {
    if (/^https?:\/\/\S+$/.test(text)) {
      return this.openAddress(new URL(text));
    }
    const lines = text.split("\n").filter((line) => line.trim());
    const first = lines.length > 2 ? parsed(lines[0]) : null;
    if (first?.ruleset) {
      return this.openFile(first, lines.slice(1).map(parsed));
    }
    const { position, mended, is_you_given: isGiven } = await read(text);
    this.position(Position.fromBody(position));
    const mends = mended.length ? [`Mended: ${mended.join(", ")}.`] : [];
    const guess = isGiven ? [] : ["Whose move it is was not said: it is the first snake's."];
    return ["Opened.", ...mends, ...guess].join(" ");
  }

  async openAddress(address) {
    if (address.origin === location.origin) {
      location.assign(address);
      return "Opening …";
    }
    const { game } = await (await post("/api/games/import", { address: address.href })).json();
    location.assign(linkTo({ id: game }));
    return `Opening game ${game} …`;
  }

  openFile(about, lines) {
    const bodies = lines.filter((line) => line?.board);
    if (!bodies.length) {
      throw new Problem("This file of a game has no turn.");
    }
    const ending = lines.find((line) => line && "winnerId" in line);
    this.game(gameOf(about, bodies, ending));
    this.file = fileOf(about, bodies, ending);
    this.keep.hidden = false;
    return `Opened a game of ${bodies.length} turns. It is not kept.`;
  }

  /** Lets the gateway keep the file that was opened, and opens the kept game. */
  async keepFile() {
    try {
      const { game } = await (await post("/api/games/import", { file: this.file })).json();
      location.assign(linkTo({ id: game }));
    } catch (error) {
      this.said.textContent = error.status === TOO_LARGE_STATUS ? TOO_LONG : wordsOf(error);
    }
  }

  async copy(text) {
    const copied = await copyText(text);
    if (!copied) {
      this.input.value = text;
      this.input.select();
    }
    this.said.textContent = copied ? "Copied." : "Copy it from the field.";
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The lines of a game without all that the gateway does not keep, so that long games are small enough to be sent. */
function fileOf(about, bodies, ending) {
  const turns = bodies.map(({ game, turn, board, you }) => {
    const snakes = board.snakes.map(({ id, name, health, body, customizations }) => ({ id, name, health, body, customizations }));
    return { game, turn, board: { ...board, snakes }, you: { id: you?.id ?? "" } };
  });
  return [about, ...turns, ...(ending ? [ending] : [])].map((line) => JSON.stringify(line)).join("\n");
}

/** A game of the official engine's output: the game itself, the bodies of its turns, and its end, if it has one. */
function gameOf(about, bodies, ending) {
  const positions = bodies.map((body) => Position.fromBody(body));
  const snakes = [...new Map(positions.flatMap((position) => position.snakes).map((snake) => [snake.id, snake])).values()];
  const turns = positions.map((position, index) => {
    const placed = snakes.map(({ id }) => position.snakes.find((snake) => snake.id === id) ?? null);
    const gone = snakes.filter(({ id }) => index && positions[index - 1].snakes.some((snake) => snake.id === id) && !position.snakes.some((snake) => snake.id === id));
    const deaths = gone.map((snake) => ({ snake: snakes.indexOf(snake), cause: null, by: null }));
    const { turn, food, hazards } = position;
    return { turn, food, hazards, deaths, snakes: placed.map((snake) => snake && { body: snake.body, health: snake.health }) };
  });
  const winner = snakes.findIndex(({ id }) => id === ending?.winnerId);
  const result = ending ? { winner: winner < 0 ? null : winner, turns: turns[turns.length - 1].turn } : null;
  const { id, ruleset, map, width, height, settings, timeout } = positions[0];
  const facts = { id: about.id ?? id, ruleset, map, width, height, settings, timeout_ms: timeout, source: "imported", over: true, result };
  return new Game({ ...facts, snakes: snakes.map(({ body, health, ...snake }) => ({ ...snake, ours: false })), turns });
}
