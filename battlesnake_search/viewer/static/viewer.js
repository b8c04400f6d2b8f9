// The viewer: a board, its controls, and what the players thought, put together around a game.

import { inAddress, numberInAddress, updateAddress } from "./address.js";
import { Board } from "./board.js";
import { Card } from "./cards.js";
import { Controls, keyAction } from "./controls.js";
import { DecisionPanel } from "./decision.js";
import { html, svg, wordButton } from "./dom.js";
import { Graph } from "./graph.js";
import { looksOf } from "./looks.js";
import { pictureOf, pngOf, save } from "./picture.js";
import { Player } from "./player.js";

const ADDRESS_DELAY = 300;
const STAGE = { "data-part": "stage", class: "stage", tabindex: 0, role: "group", "aria-describedby": "viewer-keys" };

const HINT = [
  ["←", "→"], " one turn, with ", ["Shift"], " ten; ", ["Home", "End"], " first and last; ", ["Space"], " play or pause; ",
  ["V"], " expected lines; ", ["T"], " territory, while the board or a control has the focus.",
];

/**
 * Shows games in an element. `keys` are more keys, which work within `scope`; letters work in the element alone.
 * `place` returns what belongs into the address before the turn; `shown` is called whenever something is shown.
 */
export class Viewer {
  constructor(root, { keys = {}, place = () => ({}), shown = () => {}, scope = root } = {}) {
    this.root = root;
    this.place = place;
    this.shown = shown;
    this.keys = { v: () => this.toggleAllPvs(), t: () => this.territory.click(), ...keys };
    this.build();
    scope.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  get turn() {
    return this.player.turn;
  }

  build() {
    this.boardElement = svg("svg", { class: "board", "data-part": "board", role: "img", "aria-label": "Board" });
    this.stage = html("div", { ...STAGE, "aria-label": "Board; keys step through the game" }, this.boardElement);
    this.stage.addEventListener("click", () => this.stage.focus({ preventScroll: true }));
    this.turnText = html("p", { class: "turn", "data-part": "turn", "aria-live": "polite" });
    this.controls = new Controls(
      (speed) => this.player && (this.player.turnsPerSecond = speed),
      (turn) => this.player?.go(turn),
      (action) => this.player && action(this.player),
    );
    this.panel = new DecisionPanel();
    this.graph = new Graph((turn) => this.player.go(turn));
    this.cardList = html("ul", { class: "cards", "data-part": "cards" });
    const { slider, row } = this.controls;
    const left = html("div", { class: "play" }, this.stage, this.turnText, slider, row, this.tools());
    const right = html("div", { class: "aside" }, this.panel.element, this.graph.element);
    this.root.append(html("div", { class: "viewer" }, left, right, this.cardList, this.hint()));
  }

  hint() {
    const parts = HINT.flatMap((part) => {
      return typeof part === "string" ? [part] : part.flatMap((name) => [html("kbd", {}, name), " "]);
    });
    return html("p", { class: "note hint", id: "viewer-keys" }, ...parts);
  }

  tools() {
    this.territory = html("input", { type: "checkbox", "data-part": "territory" });
    this.territory.addEventListener("change", () => this.game && this.show());
    this.said = html("span", { class: "note", role: "status", "data-part": "said" });
    const label = html("label", { class: "check" }, this.territory, " Who gets there first");
    return html(
      "div",
      { class: "tools" },
      label,
      wordButton("copy", "Copy link", () => this.copyLink()),
      wordButton("svg", "SVG", () => this.saveSvg()),
      wordButton("png", "PNG", () => this.savePng()),
      this.said,
    );
  }

  /** Shows a game, at the turn in the address unless another is given. */
  open(game, turn = numberInAddress("turn")) {
    this.player?.pause();
    this.game = game;
    this.looks = looksOf(game.snakes);
    this.board = new Board(this.boardElement, game, this.looks);
    this.chosen = this.firstChoice();
    // Whoever has switched the lines off keeps them off.
    this.pvs = new Set(this.pvs?.size === 0 ? [] : [this.chosen]);
    this.cards = this.looks.map((looks, snake) => new Card(snake, looks, (each) => this.choose(each), (each) => this.togglePv(each)));
    this.cardList.replaceChildren(...this.cards.map((card) => card.element));
    this.player = new Player(game, this.controls.turnsPerSecond);
    this.player.addEventListener("turn", () => this.changed());
    this.player.addEventListener("playing", () => this.showPlaying());
    this.drawGraph();
    this.player.go(turn ?? (game.over ? game.first : game.last));
  }

  /** The snake named in the address, else ours, else the first that reports decisions. */
  firstChoice() {
    const { game } = this;
    const found = [
      game.snakes.findIndex((snake) => snake.id && snake.id === inAddress("snake")),
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
  }

  /** Shows the decision of a snake, and its expected line in place of the one of the snake before. */
  choose(snake) {
    if (this.pvs.delete(this.chosen)) {
      this.pvs.add(snake);
    }
    this.chosen = snake;
    this.drawGraph();
    this.show();
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
    this.addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_DELAY);
  }

  show() {
    const { game, turn, looks, chosen } = this;
    this.board.draw(turn, { pvs: [...this.pvs], territory: this.territory.checked });
    this.cards.forEach((card, snake) => {
      card.show(game, turn, looks, { chosen: snake === chosen, shown: this.pvs.has(snake) });
    });
    this.panel.show(game, looks, chosen, turn);
    this.graph.show(turn);
    const words = `Turn ${turn} of ${game.last}`;
    this.turnText.textContent = words + this.turnNote();
    this.controls.show(this.player, words);
    this.boardElement.setAttribute("aria-label", this.boardText(words));
    this.shown(this);
  }

  turnNote() {
    const { game, turn } = this;
    if (!game.over) {
      return this.player.following ? " · live" : " · live, behind";
    }
    return turn === game.last ? ` · ${this.endText()}` : "";
  }

  endText() {
    const { data, result } = this.game;
    const won = result && result.winner !== null ? `${this.looks[result.winner].name} won` : "no winner";
    return data.ending ?? (result ? won : "the end");
  }

  boardText(words) {
    const snakes = this.looks.map(({ name }, snake) => {
      const seen = this.game.snake(snake, this.turn);
      return seen ? `${name}: head at ${seen.body[0].join(", ")}, length ${seen.body.length}` : `${name} is dead`;
    });
    return [words, ...snakes].join(". ");
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

  writeAddress() {
    if (!this.player.playing && !this.player.following) {
      updateAddress({ ...this.place(), turn: this.turn });
    }
  }

  async copyLink() {
    updateAddress({ ...this.place(), turn: this.turn });
    const copied = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
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
