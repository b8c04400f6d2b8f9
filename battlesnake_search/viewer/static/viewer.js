// The viewer: a board, its controls, and what the players thought, put together around a game.

import { inAddress, numberInAddress, updateAddress } from "./address.js";
import { Board } from "./board.js";
import { Card } from "./cards.js";
import { Controls, keyAction } from "./controls.js";
import { DecisionPanel } from "./decision.js";
import { copyText, html, svg, tell, wordButton } from "./dom.js";
import { Graph } from "./graph.js";
import { looksOf } from "./looks.js";
import { pictureOf, pngOf, save } from "./picture.js";
import { Player } from "./player.js";
import { Trends } from "./trends.js";

const ADDRESS_DELAY = 300;
const STAGE = { "data-part": "stage", class: "stage", tabindex: 0, role: "group", "aria-describedby": "viewer-keys" };
const STAGE_NAME = "Board; keys step through the game";

const HINT = [
  ["←", "→"], " one turn, with ", ["Shift"], " ten; ", ["Home", "End"], " first and last; ", ["Space"], " play or pause; ",
];
const SEARCH_HINT = [["V"], " expected lines; ", ["S"], " scores; "];
const FOCUS_HINT = [["T"], " territory, while the board or a control has the focus."];

/**
 * Shows games in an element. `keys` are more keys, which work within `scope`; letters work in the element alone.
 * `place` returns what belongs into the address beside the turn; `write` writes another address instead. `shown` is
 * called whenever something is shown. `onStep` makes the expected line's turns buttons, as DecisionPanel describes.
 * `thoughts` may return {decision, age} of the chosen snake to draw on the board instead of the recorded decision.
 */
export class Viewer {
  constructor(root, { keys = {}, place = () => ({}), shown = () => {}, scope = root, onStep = null, thoughts = null, write = null } = {}) {
    this.root = root;
    this.place = place;
    this.shown = shown;
    this.thoughts = () => thoughts?.() ?? this.game.newest(this.chosen, this.turn);
    this.write = write;
    this.keys = { v: () => this.toggleAllPvs(), t: () => this.territory.click(), s: () => this.scores.click(), ...keys };
    this.build(onStep);
    scope.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  get turn() {
    return this.player.turn;
  }

  build(onStep) {
    this.boardElement = svg("svg", { class: "board", "data-part": "board", role: "group", "aria-label": "Board" });
    this.stage = html("div", { ...STAGE, "aria-label": STAGE_NAME }, this.boardElement);
    this.stage.addEventListener("click", () => this.stage.focus({ preventScroll: true }));
    this.turnText = html("p", { class: "turn", "data-part": "turn", "aria-live": "polite" });
    this.controls = new Controls(
      (speed) => this.player && (this.player.turnsPerSecond = speed),
      (turn) => this.player?.go(turn),
      (action) => this.player && action(this.player),
    );
    this.panel = new DecisionPanel({ onStep });
    this.graph = new Graph((turn) => this.player.go(turn));
    this.trends = new Trends((turn) => this.player.go(turn));
    this.cardList = html("ul", { class: "cards", "data-part": "cards" });
    const { slider, row } = this.controls;
    this.play = html("div", { class: "play" }, this.stage, this.turnText, slider, row, this.tools());
    this.aside = html("div", { class: "aside" }, this.panel.element);
    const graphs = html("div", { class: "graphs" }, this.graph.element, this.trends.element);
    this.root.append(html("div", { class: "viewer" }, this.play, this.aside, graphs, this.cardList, this.hint()));
  }

  hint() {
    const parts = (hint) => hint.flatMap((part) => {
      return typeof part === "string" ? [part] : part.flatMap((name) => [html("kbd", {}, name), " "]);
    });
    const searches = html("span", { class: "searches" }, ...parts(SEARCH_HINT));
    return html("p", { class: "note hint", id: "viewer-keys" }, ...parts(HINT), searches, ...parts(FOCUS_HINT));
  }

  tools() {
    const check = (part, words) => {
      const input = html("input", { type: "checkbox", "data-part": part });
      input.addEventListener("change", () => this.game && this.show());
      return [input, html("label", { class: "check" }, input, words)];
    };
    const [territory, territoryLabel] = check("territory", " Who gets there first");
    const [scores, scoresLabel] = check("scores", " Scores of the moves");
    scores.checked = true;
    Object.assign(this, { territory, scores });
    this.said = html("span", { class: "note", role: "status", "data-part": "said" });
    this.buttons = html(
      "div", { class: "row" },
      wordButton("copy", "Copy link", () => this.copyLink()),
      wordButton("svg", "SVG", () => this.saveSvg()),
      wordButton("png", "PNG", () => this.savePng()),
    );
    return html("div", { class: "tools" }, territoryLabel, scoresLabel, this.buttons, this.said);
  }

  /** Shows a game, at the turn in the address unless another is given. The snake with the chosen one's id stays chosen. */
  open(game, turn = numberInAddress("turn")) {
    this.player?.pause();
    const former = this.game?.snakes[this.chosen]?.id ?? null;
    this.game = game;
    this.looks = looksOf(game.snakes);
    this.board = this.boardOf(game);
    const same = game.snakes.findIndex(({ id }) => id !== undefined && id === former);
    this.chosen = same >= 0 ? same : this.firstChoice(inAddress("snake"));
    // Whoever has switched the lines off keeps them off.
    this.pvs = new Set(this.pvs?.size === 0 ? [] : [this.chosen]);
    this.cards = this.looks.map((looks, snake) => new Card(snake, looks, (each) => this.choose(each), (each) => this.togglePv(each)));
    this.cardList.replaceChildren(...this.cards.map((card) => card.element));
    this.player = new Player(game, this.controls.turnsPerSecond);
    this.player.addEventListener("turn", () => this.changed());
    this.player.addEventListener("playing", () => this.showPlaying());
    this.drawGraph();
    this.player.go(turn ?? (game.live ? game.last : game.first));
  }

  boardOf(game) {
    return new Board(this.boardElement, game, looksOf(game.snakes), true);
  }

  /** The snake with an id, else ours, else the first that reports decisions. */
  firstChoice(id = null) {
    const { game } = this;
    const found = [
      game.snakes.findIndex((snake) => snake.id && snake.id === id),
      game.snakes.findIndex((snake) => snake.ours),
      game.snakes.findIndex((_, snake) => game.decides(snake)),
    ];
    return found.find((snake) => snake >= 0) ?? 0;
  }

  /** Notes that the game has new turns, decisions or an end. */
  update() {
    this.drawGraph();
    this.player.grew();
  }

  drawGraph() {
    this.graph.draw(this.game, this.looks, this.chosen);
    this.trends.draw(this.game, this.looks, this.chosen);
  }

  /** Shows the decision of a snake, and its expected line in place of the one of the snake before. */
  choose(snake) {
    if (this.pvs.delete(this.chosen)) {
      this.pvs.add(snake);
    }
    this.chosen = snake;
    this.drawGraph();
    this.changed();
    this.panel.element.scrollIntoView({ block: "nearest" });
  }

  togglePv(snake) {
    if (!this.pvs.delete(snake)) {
      this.pvs.add(snake);
    }
    this.show();
  }

  /** All expected lines on the board, or none if all are. */
  toggleAllPvs() {
    const able = [...this.game.snakes.keys()].filter((snake) => this.game.reportsPv(snake));
    this.pvs = new Set(able.every((snake) => this.pvs.has(snake)) ? [] : able);
    this.show();
  }

  changed() {
    this.show();
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.player.playing || this.player.following || this.writeAddress(), ADDRESS_DELAY);
  }

  show() {
    const { game, turn, looks, chosen } = this;
    this.drawBoard();
    this.cards.forEach((card, snake) => {
      card.show(game, turn, looks, { chosen: snake === chosen, shown: this.pvs.has(snake) });
    });
    this.panel.show(game, looks, chosen, turn);
    this.panel.element.hidden = game.data.source === "analysis" && !game.decides(chosen);
    this.graph.show(turn);
    this.trends.show(turn);
    const words = `Turn ${turn} of ${game.last}`;
    tell(this.turnText, words + this.turnNote());
    this.controls.show(this.player, words);
    this.boardElement.setAttribute("aria-label", `Board. ${words}`);
    this.shown(this);
  }

  /** Draws the turn that is shown, also instead of a preview. */
  drawBoard() {
    const { game, turn, chosen } = this;
    const { decision, age } = this.thoughts();
    const marks = this.scores.checked && decision?.moves && !age ? { snake: chosen, moves: decision.moves, best: decision.move } : null;
    const pvs = [...this.pvs].map((snake) => {
      const found = snake === chosen ? { decision, age } : game.newest(snake, turn);
      return { snake, pv: (found.decision?.pv ?? []).slice(found.age) };
    });
    this.board.draw(turn, { pvs, territory: this.territory.checked, marks });
    this.boardElement.classList.remove("preview");
  }

  /** Draws a turn of another game on the board, until the next `drawBoard` or `show`. */
  preview(game, turn) {
    this.boardOf(game).draw(turn);
    this.boardElement.classList.add("preview");
    this.boardElement.setAttribute("aria-label", `Board. Expected position on turn ${turn}`);
  }

  endPreview() {
    if (this.boardElement.classList.contains("preview")) {
      this.drawBoard();
    }
  }

  turnNote() {
    const { game, turn } = this;
    if (game.live) {
      return this.player.following ? " · live" : " · live, behind";
    }
    return turn === game.last && this.endText() ? ` · ${this.endText()}` : "";
  }

  endText() {
    const { data, result } = this.game;
    if (data.source === "analysis") {
      return "";
    }
    const won = result && result.winner !== null ? `${this.looks[result.winner].name} won` : "no winner";
    return data.ending ?? (result ? won : "the end");
  }

  showPlaying() {
    const { playing } = this.player;
    this.root.classList.toggle("playing", playing);
    this.controls.showPlaying(playing);
    // Announced while stepping, silent while playing.
    this.turnText.setAttribute("aria-live", playing ? "off" : "polite");
    this.changed();
  }

  key(event) {
    const letter = /^[a-z]$/i.test(event.key);
    const action = this.player && keyAction(event, this.keys);
    if (action && (!letter || this.root.contains(event.target))) {
      event.preventDefault();
      action(this.player);
    }
  }

  /** Goes to the turn that somebody has put into the address. */
  follow() {
    const turn = numberInAddress("turn");
    if (this.player && turn !== null && turn !== this.turn) {
      this.player.go(turn);
    }
  }

  /** What the address says about the view: the turn, and the snake unless it is the one that the page would choose. */
  view() {
    const { id } = this.game.snakes[this.chosen] ?? {};
    const named = id && this.chosen !== this.firstChoice(new URLSearchParams(location.search).get("snake"));
    return { ...this.place(), turn: this.turn, ...(named ? { snake: id } : {}) };
  }

  async writeAddress() {
    await (this.write ?? (() => updateAddress(this.view())))();
  }

  async copyLink() {
    await this.writeAddress();
    const copied = await copyText(location.href);
    this.said.textContent = copied ? `Copied the link to turn ${this.turn}.` : "Copy the link from the address bar.";
  }

  fileName(ending) {
    return `${this.game.data.id}-turn-${this.turn}.${ending}`;
  }

  saveSvg() {
    save(new Blob([pictureOf(this.boardElement)], { type: "image/svg+xml" }), this.fileName("svg"));
    this.said.textContent = "Saved the picture as SVG.";
  }

  async savePng() {
    save(await pngOf(this.boardElement), this.fileName("png"));
    this.said.textContent = "Saved the picture as PNG.";
  }
}
