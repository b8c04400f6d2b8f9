// The board to think on: a game or a position in the viewer, the lines that were tried, and the search of what is shown.

import { updateAddress } from "/viewer/address.js";
import { wordButton } from "/viewer/dom.js";
import { Viewer } from "/viewer/viewer.js";
import { causeText, counted } from "/viewer/words.js";
import { say, section, wordsOf } from "../console.js";
import { addressOf, TOO_LARGE } from "./address.js";
import { advance } from "./api.js";
import { Editor } from "./editor.js";
import { goesAlong, Lines } from "./lines.js";
import { Opener } from "./opener.js";
import { Overtime } from "./overtime.js";
import { onward, Play } from "./play.js";
import { Position } from "./position.js";
import { Search } from "./search.js";
import { Setup } from "./setup.js";

const part = (id) => document.getElementById(id);

export class Study {
  /** `described` is called with the line and the position that are shown, to name them at the top of the page. */
  constructor(described) {
    this.described = described;
    const onStep = (step) => this.step(step);
    this.viewer = new Viewer(part("game"), {
      scope: document, onStep, shown: () => this.shown(), thoughts: () => this.thoughts(), write: () => this.writeAddress(),
    });
    this.lines = new Lines((line) => this.open(line, this.turnIn(line)));
    this.search = new Search({ onStep, changed: () => this.line && this.viewer.changed() });
    this.play = new Play((moves) => this.playTurn(moves));
    this.setup = new Setup(() => this.edited());
    this.editor = new Editor(this.viewer, {
      position: () => this.position, snake: () => this.setup.snake, changed: () => this.edited(),
      undo: () => this.restore("past", "future"), redo: () => this.restore("future", "past"),
    });
    this.overtime = new Overtime(() => this.asked(), (turn) => this.viewer.player.go(turn));
    this.opener = new Opener({
      position: (position) => this.add({ game: position.toGame(), position, words: "Opened position" }),
      game: (game) => this.add({ game, words: "Opened game" }),
      present: () => this.position,
    });
    this.place();
  }

  place() {
    const { viewer, editor, setup } = this;
    this.edit = wordButton("edit", "Edit", () => this.toggleEdit());
    this.edit.setAttribute("aria-pressed", "false");
    viewer.buttons.prepend(this.edit);
    editor.element.append(setup.element);
    viewer.play.append(editor.element);
    viewer.panel.element.after(this.search.element);
    viewer.trends.element.after(this.overtime.element);
    viewer.aside.append(section("Lines", this.lines.element), section("Play on", this.play.element));
    part("opener").append(this.opener.element);
  }

  /** Adds a line, below another one if it has a parent, and opens it at a turn. */
  add(line, turn = line.game.live ? line.game.last : line.game.first) {
    const added = this.lines.add({ parent: null, from: null, words: "", ...line });
    this.open(added, turn);
    return added;
  }

  open(line, turn) {
    this.viewer.player?.pause();
    this.line = line;
    this.viewer.open(line.game, turn);
  }

  /** Where a line is opened: at the turn that is shown if the shown line has left it, else where it begins. */
  turnIn(line) {
    const former = [];
    for (let each = this.line; each; each = each.parent) {
      former.push(each);
    }
    return former.includes(line) ? this.viewer.turn : line.from === null ? line.game.first : Math.min(line.from + 1, line.game.last);
  }

  /** The id of the snake to move: the chosen one while it lives. */
  get you() {
    const { game, chosen } = this.viewer;
    const { id } = game.snakes[chosen] ?? {};
    return id ?? String(chosen);
  }

  /** Whether the position is the one that was edited, and not a turn that was played from it. */
  get isEdited() {
    const { position, game } = this.line;
    return Boolean(position) && game.numbers.length === 1;
  }

  /** The position of the turn that is shown. */
  get position() {
    const { viewer, line, you } = this;
    const turn = viewer.game.at(viewer.turn);
    if (this.isEdited) {
      line.position.you = you;
      return line.position;
    }
    if (this.cut?.turn !== turn || this.cut.you !== you) {
      this.cut = { turn, you, position: turn && Position.ofTurn(viewer.game, turn, you) };
    }
    return this.cut.position;
  }

  /** The same decision with the moves of an expected line in the order of the game's snakes. */
  inOrder(decision) {
    const { drawn } = this.position;
    const order = this.viewer.game.snakes.map(({ id }, index) => drawn.findIndex((snake) => snake.id === (id ?? String(index))));
    return { ...decision, pv: decision.pv.map((joint) => order.map((place) => joint[place] ?? null)) };
  }

  /** The search's result for the board, else the review's scores, else null for what was recorded. */
  thoughts() {
    const { viewer } = this;
    this.ask();
    if (this.search.decision) {
      return { decision: this.inOrder(this.search.decision), age: 0 };
    }
    const { decision, age } = viewer.game.newest(viewer.chosen, viewer.turn);
    const moves = this.review?.game === viewer.game ? this.review.moves(this.you, viewer.turn) : null;
    return moves ? { decision: { pv: [], move: moves[0].move, ...decision, moves }, age } : null;
  }

  /** Lets the search know of the position. */
  ask() {
    const { position } = this;
    const lives = position?.drawn.some(({ id }) => id === this.you);
    const looks = lives ? position.drawn.map(({ id }) => this.looksOf(id)) : [];
    this.search.ask(lives ? position : null, looks);
  }

  looksOf(id) {
    const { game, looks } = this.viewer;
    return looks[game.snakes.findIndex((snake, index) => (snake.id ?? String(index)) === id)];
  }

  shown() {
    const { position, viewer } = this;
    if (!position) {
      return;
    }
    this.described(this.line, position);
    const { decision, age } = viewer.thoughts();
    const first = viewer.game.snakes.map(({ id }, index) => [id ?? String(index), decision?.pv?.[age]?.[index]]);
    this.play.show(position, (id) => this.looksOf(id), new Map(first));
    this.lines.show(this.line, this.you);
    this.overtime.show(viewer.turn);
    if (this.editor.on) {
      this.before = position.copy();
      this.setup.show(position);
      this.editor.show(this.line.edits ?? { past: [], future: [] });
    }
  }

  toggleEdit() {
    const on = !this.editor.on;
    this.edit.setAttribute("aria-pressed", String(on));
    this.editor.toggle(on);
    this.viewer.show();
    if (on) {
      this.viewer.stage.focus({ preventScroll: true });
    }
  }

  /** Takes over a change of the position: into its line if it was edited before, else into a line of its own. */
  edited() {
    say("");
    const { position, before, line } = this;
    if (this.isEdited && line.edits) {
      line.edits.past.push(before);
      line.edits.future = [];
      this.showEdited(line, position);
      return;
    }
    const edits = { past: [before], future: [] };
    const copy = position.copy();
    this.cut = null;
    this.add({ game: copy.toGame(), position: copy, edits, parent: line, from: this.viewer.turn, words: `Turn ${before.turn}, edited` });
  }

  showEdited(line, position) {
    line.position = position;
    line.game = position.toGame();
    this.open(line, position.turn);
  }

  restore(from, to) {
    const { edits } = this.line;
    if (edits?.[from].length && this.isEdited) {
      edits[to].push(this.before);
      this.showEdited(this.line, edits[from].pop());
    }
  }

  /** Plays a turn: along a line that goes on so, else as a line of its own. Returns what is to be said. */
  async playTurn(moves) {
    const { line, position } = this;
    const { turn } = this.viewer;
    const inOrder = line.game.snakes.map(({ id }) => (Object.hasOwn(moves, id) ? moves[id] : null));
    try {
      const known = goesAlong(line.game, turn, inOrder) ? line : this.lines.childOf(line, turn, inOrder);
      if (known) {
        this.open(known, turn + 1);
        return `Turn ${turn + 1}.`;
      }
      const after = await advance({ position: position.toBody(), searcher: this.search.searcher.input.value, moves });
      if (line === this.line && turn === this.viewer.turn) {
        this.goOn(line, turn, after);
      }
      return this.tellOf(after);
    } catch (error) {
      return wordsOf(error);
    }
  }

  /** Adds a turn to the end of a line that is no game, else begins a line with it. */
  goOn(line, turn, after) {
    const next = turnOf(line.game, after);
    if (line.game.data.source === "analysis" && turn === line.game.last) {
      line.game.addTurn(next);
      this.open(line, next.turn);
    } else {
      const game = line.game.fork(turn, {});
      game.addTurn(next);
      this.add({ game, parent: line, from: turn }, next.turn);
    }
  }

  tellOf({ turn, deaths, over }) {
    const died = deaths.map(({ snake, cause }) => `${this.looksOf(snake)?.name ?? snake} died: ${causeText(cause)}.`);
    return [`Turn ${turn}.`, ...died, over ? "The game is over." : ""].filter(Boolean).join(" ");
  }

  /** Shows or opens a position of an expected line: {game, number, pv, count, opens} as DecisionPanel describes it. */
  async step({ game, number, pv, count, opens }) {
    const wanted = (this.wanted = {});
    const shown = this.viewer.turn;
    if (!count) {
      this.viewer.endPreview();
      return;
    }
    try {
      const { line } = this;
      const key = JSON.stringify([number, pv]);
      if (this.expected?.key !== key || this.expected.line !== line) {
        this.expected = { key, line, game: line.game.fork(number, {}), turns: pv.map((joint) => new Map(game.snakes.map(({ id }, index) => [id, joint[index]]))) };
      }
      await this.expect(this.expected, opens ? pv.length : count);
      if (this.wanted !== wanted || this.line !== line || this.viewer.turn !== shown) {
        return;
      }
      const turn = Math.min(number + count, this.expected.game.last);
      if (opens) {
        this.openExpected(line, number, turn);
      } else {
        this.viewer.preview(this.expected.game, turn);
      }
    } catch (error) {
      say(wordsOf(error));
    }
  }

  /** Plays the first turns of an expected line, as far as they are not played yet, and the game goes on. */
  async expect(expected, count) {
    const { game, turns } = expected;
    const played = (expected.played ??= { count: 0 });
    while (played.count < count && !played.over) {
      const you = game.snakes.find((_, snake) => game.snake(snake, game.last))?.id ?? "";
      const position = Position.ofTurn(game, game.at(game.last), you);
      // A search may expect no move of some snakes.
      const moves = Object.fromEntries(position.drawn.map((snake) => [snake.id, turns[played.count].get(snake.id) ?? onward(position, snake)]));
      const after = await advance({ position: position.toBody(), searcher: this.search.searcher.input.value, moves });
      // Two steps may have asked about the same turn.
      if (game.last < after.turn) {
        game.addTurn(turnOf(game, after));
        Object.assign(played, { count: played.count + 1, over: after.over });
      }
    }
  }

  openExpected(line, number, turn) {
    const { game } = this.expected;
    this.expected = null;
    const moves = game.snakes.map((_, snake) => game.made(snake, number));
    const known = this.lines.childOf(line, number, moves);
    if (known?.game.at(turn)) {
      this.open(known, turn);
    } else {
      this.add({ game, parent: line, from: number }, turn);
    }
  }

  /** What the evaluator is asked about. A strategy that nobody chose is the one that was recorded. */
  asked() {
    const { game, chosen } = this.viewer;
    const { strategy, weights } = this.search.columns[0].form.value;
    return { game, snake: chosen, strategy: strategy === "auto" ? "" : strategy, weights, searcher: this.search.searcher.input.value };
  }

  async writeAddress() {
    const { line, viewer, search } = this;
    const settings = search.isUsual ? {} : { search: JSON.stringify(search.settings()) };
    if (line.isGame) {
      updateAddress({ ...viewer.view(), ...settings });
      return;
    }
    const found = await addressOf(this.position);
    if (!found) {
      say(TOO_LARGE);
    }
    updateAddress({ ...found, ...settings });
  }
}

/** A turn of a game from the answer of the API. */
function turnOf({ snakes }, { turn, board, deaths }) {
  const place = (id) => snakes.findIndex((snake, index) => (snake.id ?? String(index)) === id);
  const cells = (points) => points.map(({ x, y }) => [x, y]);
  const placed = snakes.map(() => null);
  board.snakes.forEach(({ id, health, body }) => (placed[place(id)] = { body: cells(body), health }));
  const died = deaths.map(({ snake, cause, by }) => ({ snake: place(snake), cause, by: by ? place(by) : null }));
  return { turn, food: cells(board.food), hazards: cells(board.hazards), snakes: placed, deaths: died, decisions: [] };
}

/** The position in a few words. */
export function describe({ ruleset, width, height, turn, drawn }) {
  return `${ruleset}, ${width}×${height}, turn ${turn}, ${counted(drawn.length, "snake")}`;
}
