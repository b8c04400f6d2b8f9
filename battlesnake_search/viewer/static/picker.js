// The games of a match: picks one for the viewer, and keeps its place in the page's address.

import { inAddress, numberInAddress } from "./address.js";
import { html, iconButton } from "./dom.js";
import { Game } from "./game.js";
import { Viewer } from "./viewer.js";

const OLDER = "M15 5l-7 7 7 7";
const NEWER = "M9 5l7 7-7 7";

/**
 * Shows the games of a match in an element. `load(key)` returns the data of a game; keys for another game work
 * within `scope`.
 */
export class Picker {
  constructor(root, match, load, scope = root) {
    this.match = match;
    this.load = load;
    this.build(root);
    this.viewer = new Viewer(this.mount, {
      scope,
      keys: { ArrowUp: () => this.neighbour(-1), ArrowDown: () => this.neighbour(1) },
      place: () => ({ game: this.current }),
    });
    window.addEventListener("hashchange", () => this.follow());
    this.list();
  }

  build(root) {
    this.filter = html("select", { "data-part": "filter" }, ...this.match.filters.map(([value, words]) => new Option(words, value)));
    this.games = html("select", { "data-part": "game" });
    this.count = html("span", { class: "note", "data-part": "count", role: "status" });
    this.problem = html("p", { class: "problem", "data-part": "problem", role: "alert" });
    this.mount = html("div", { "data-part": "mount" });
    this.filter.addEventListener("change", () => this.list());
    this.games.addEventListener("change", () => this.open(this.games.value, null));
    const game = html("div", { class: "game" }, html("label", {}, "Game ", this.games), this.step(-1), this.step(1));
    const hint = html("p", { class: "note" }, html("kbd", {}, "↑"), " ", html("kbd", {}, "↓"), " other game. The address of this page follows the game and the turn that are shown.");
    root.append(html("div", { class: "pick" }, html("label", {}, "Show ", this.filter), game, this.count), this.problem, this.mount, hint);
  }

  step(direction) {
    const [part, words, icon] = direction < 0 ? ["previous-game", "Previous game", OLDER] : ["next-game", "Next game", NEWER];
    const button = iconButton(part, words, { open: icon });
    button.addEventListener("click", () => this.neighbour(direction));
    return button;
  }

  /** Fills the list of games with those that pass the filter. */
  list() {
    const games = this.match.games.filter((game) => game.kinds.includes(this.filter.value));
    this.games.replaceChildren(...games.map((game) => new Option(game.text, game.key)));
    if (games.some((game) => game.key === this.current)) {
      this.games.value = this.current;
    } else if (games.length && this.current) {
      this.open(games[0].key, null);
    }
    this.count.textContent = `${games.length} of ${this.match.games.length} games`;
  }

  listed(key) {
    return this.match.games.find((game) => game.key === key);
  }

  /** Goes to the game in the address, else to the first one. The viewer itself follows the turn. */
  follow() {
    const key = inAddress("game");
    const game = this.listed(key);
    if (game && key !== this.current) {
      this.open(key, numberInAddress("turn"));
    } else if (!game && !this.current && this.match.games.length) {
      this.open(this.match.games[0].key, null, key ? `There is no game ${key} in this match.` : "");
    }
    return Boolean(game);
  }

  async open(key, turn, problem = "") {
    this.current = key;
    const game = await this.load(key).catch((error) => error);
    if (this.current !== key) {
      return;
    }
    if (![...this.games.options].some((option) => option.value === key)) {
      this.filter.value = "all";
      this.list();
    }
    this.games.value = key;
    this.problem.textContent = game instanceof Error ? game.message : problem;
    if (!(game instanceof Error)) {
      const { ending, first } = this.listed(key);
      this.viewer.open(new Game({ ...game, ending }), turn ?? first);
    }
  }

  neighbour(step) {
    const index = this.games.selectedIndex + step;
    if (index >= 0 && index < this.games.options.length) {
      this.open(this.games.options[index].value, null);
    }
  }
}
