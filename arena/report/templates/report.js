// The page's games: picks one for the viewer, and keeps its place in the page's address.

class Picker {
  constructor(report, root) {
    this.report = report;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.blocks = new Map();
    this.viewer = new Viewer(this.part("mount"), {
      scope: root,
      keys: { ArrowUp: () => this.neighbour(-1), ArrowDown: () => this.neighbour(1) },
      place: () => ({ game: this.current }),
    });
    this.listen();
    this.list();
  }

  listen() {
    this.part("previous-game").addEventListener("click", () => this.neighbour(-1));
    this.part("next-game").addEventListener("click", () => this.neighbour(1));
    this.part("filter").addEventListener("change", () => this.list());
    this.part("game").addEventListener("change", (event) => this.open(event.target.value, null));
    window.addEventListener("hashchange", () => this.follow());
  }

  /** Fills the list of games with those that pass the filter. */
  list() {
    const chosen = this.part("filter").value;
    const games = this.report.games.filter((game) => game.kinds.includes(chosen));
    this.part("game").replaceChildren(...games.map((game) => new Option(game.text, game.key)));
    if (games.some((game) => game.key === this.current)) {
      this.part("game").value = this.current;
    } else if (games.length && this.current) {
      this.open(games[0].key, null);
    }
    this.part("count").textContent = `${games.length} of ${this.report.games.length} games`;
  }

  /** Goes to the game in the address, else to the first one. The viewer itself follows the turn. */
  follow() {
    const key = inAddress("game");
    const game = this.report.games.find((each) => each.key === key);
    if (game && key !== this.current) {
      this.open(key, numberInAddress("turn"));
    } else if (!game && !this.current) {
      this.open(this.report.games[0].key, null, key ? `There is no game ${key} in this match.` : "");
    }
    return Boolean(game);
  }

  async open(key, turn, problem = "") {
    this.current = key;
    const replay = await this.load(key);
    if (this.current !== key) {
      return;
    }
    if (![...this.part("game").options].some((option) => option.value === key)) {
      this.part("filter").value = "all";
      this.list();
    }
    this.part("game").value = key;
    this.part("problem").textContent = problem;
    const listed = this.report.games.find((game) => game.key === key);
    this.viewer.open(gameOf(replay, this.report, listed), turn ?? listed.first);
  }

  async load(key) {
    const [block, game] = key.split(".");
    if (!this.blocks.has(block)) {
      this.blocks.clear();
      this.blocks.set(block, unpack(document.getElementById(`block-${block}`).textContent));
    }
    return (await this.blocks.get(block))[game - 1];
  }

  neighbour(step) {
    const options = this.part("game").options;
    const index = this.part("game").selectedIndex + step;
    if (index >= 0 && index < options.length) {
      this.open(options[index].value, null);
    }
  }
}

document.querySelector("header").append(themeButton());
const report = JSON.parse(document.getElementById("report-data").textContent);
const replays = document.getElementById("viewer");
if (report.games.length && "DecompressionStream" in window) {
  const picker = new Picker(report, replays);
  if (picker.follow()) {
    replays.scrollIntoView();
    picker.viewer.stage.focus({ preventScroll: true });
  }
} else if (report.games.length) {
  const problem = replays.querySelector('[data-part="problem"]');
  problem.textContent = "This browser is too old for replays: it has no DecompressionStream.";
}
