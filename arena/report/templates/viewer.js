// The replay viewer: picks a game, steps and plays through it, and keeps its place in the page's address.

const BIG_STEP = 10;
const ADDRESS_DELAY = 300;

class Viewer {
  constructor(report, root) {
    this.report = report;
    this.root = root;
    this.frame = 0;
    this.timer = null;
    this.shown = new Set();
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.blocks = new Map();
    this.listen();
    this.list();
  }

  listen() {
    const actions = {
      first: () => this.go(0),
      back: () => this.go(this.frame - 1),
      play: () => this.togglePlay(),
      next: () => this.go(this.frame + 1),
      last: () => this.go(this.replay.last),
      "previous-game": () => this.neighbour(-1),
      "next-game": () => this.neighbour(1),
    };
    for (const [name, action] of Object.entries(actions)) {
      this.part(name).addEventListener("click", () => this.replay && action());
    }
    this.part("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("filter").addEventListener("change", () => this.list());
    this.part("game").addEventListener("change", (event) => this.open(event.target.value, 0));
    this.part("stage").addEventListener("click", () => this.part("stage").focus({ preventScroll: true }));
    this.part("scores").addEventListener("pointerdown", (event) => this.seek(event));
    this.part("scores").addEventListener("pointermove", (event) => event.buttons && this.seek(event));
    this.root.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  /** Fills the game picker with the games that pass the filter. */
  list() {
    const chosen = this.part("filter").value;
    const games = this.report.games.filter((game) => game.kinds.includes(chosen));
    this.part("game").replaceChildren(...games.map((game) => new Option(game.text, game.key)));
    if (games.some((game) => game.key === this.current)) {
      this.part("game").value = this.current;
    } else if (games.length && this.replay) {
      this.open(games[0].key, 0);
    }
    this.part("count").textContent = `${games.length} of ${this.report.games.length} games`;
  }

  /** Goes to the place in the address, else to the first game. */
  follow() {
    const place = new URLSearchParams(location.hash.slice(1));
    const key = place.get("game");
    const game = this.report.games.find((each) => each.key === key);
    if (game) {
      const frame = Number(place.get("turn") ?? game.first) - game.first;
      if (key !== this.current || frame !== this.frame) {
        this.open(key, frame);
      }
    } else if (!this.replay && this.report.games.length) {
      this.open(this.report.games[0].key, 0, key ? `There is no game ${key} in this match.` : "");
    }
    return Boolean(game);
  }

  async open(key, frame, problem = "") {
    this.pause();
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
    this.replay = replay;
    this.buildGame();
    this.go(Number.isInteger(frame) ? frame : 0);
  }

  async load(key) {
    const [block, game] = key.split(".");
    if (!this.blocks.has(block)) {
      this.blocks.clear();
      this.blocks.set(block, unpack(document.getElementById(`block-${block}`).textContent));
    }
    return new Replay((await this.blocks.get(block))[game - 1], this.report.match);
  }

  /** Makes the parts of the page that stay the same throughout a game. */
  buildGame() {
    const seats = this.replay.snakes.map((track) => track.seat);
    const namesakes = seats.map((seat, snake) => seats.slice(0, snake).filter((other) => other === seat).length);
    const names = seats.map((seat, snake) => {
      const shared = seats.filter((other) => other === seat).length > 1;
      return this.report.names[seat] + (shared ? ` #${namesakes[snake] + 1}` : "");
    });
    const shades = namesakes.map((count) => 100 - 45 * (1 - 0.5 ** count));
    const colours = seats.map((seat, snake) => {
      return `color-mix(in srgb, ${this.report.colours[seat]} ${shades[snake]}%, var(--ink))`;
    });
    this.names = names;
    this.board = new Board(this.part("board"), this.report.match, colours, names);
    this.cards = names.map((name, snake) => new Card(snake, name, colours[snake], (each) => this.togglePv(each)));
    this.part("cards").replaceChildren(...this.cards.map((card) => card.element));
    this.part("slider").max = this.replay.last;
    this.drawScores(colours);
  }

  drawScores(colours) {
    const { last, snakes } = this.replay;
    const chart = this.part("scores");
    const width = Math.max(last, 1);
    chart.setAttribute("viewBox", `0 -1.05 ${width} 2.1`);
    const lines = snakes.map((track, snake) => {
      let path = "";
      track.scores.forEach((score, turn) => {
        if (score !== null) {
          path += `${turn && track.scores[turn - 1] !== null ? "L" : "M"}${turn},${-score} `;
        }
      });
      const line = svg("path", { d: path, class: "score" });
      line.style.setProperty("--colour", colours[snake]);
      return line;
    });
    this.cursor = svg("path", { class: "cursor" });
    const zero = svg("path", { class: "zero", d: `M0,0 H${width}` });
    chart.replaceChildren(zero, ...lines, this.cursor);
    const reported = snakes.some((track) => track.scores.some((score) => score !== null));
    this.part("score-chart").hidden = !reported;
  }

  go(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.replay.last);
    this.show();
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.updateAddress(), ADDRESS_DELAY);
  }

  show() {
    const { replay, frame } = this;
    this.board.draw(replay, frame, [...this.shown].filter((snake) => snake < replay.snakes.length));
    this.cards.forEach((card, snake) => {
      card.show(replay, frame, this.names, this.report.match, this.shown.has(snake));
    });
    const turn = replay.data.first_turn + frame;
    const words = `Turn ${turn} of ${replay.data.first_turn + replay.last}`;
    this.part("turn").textContent = words + (frame === replay.last ? ` · ${this.endText()}` : "");
    this.part("slider").value = frame;
    this.part("slider").setAttribute("aria-valuetext", words);
    this.part("board").setAttribute("aria-label", this.boardText(words));
    this.cursor.setAttribute("d", `M${frame},-1.05 V1.05`);
  }

  endText() {
    return this.report.games.find((game) => game.key === this.current).ending;
  }

  boardText(words) {
    const snakes = this.names.map((name, snake) => {
      if (!this.replay.isAlive(snake, this.frame)) {
        return `${name} is dead`;
      }
      const body = this.replay.body(snake, this.frame);
      return `${name}: head at ${body[0].join(", ")}, length ${body.length}`;
    });
    return [words, ...snakes].join(". ");
  }

  togglePv(snake) {
    if (!this.shown.delete(snake)) {
      this.shown.add(snake);
    }
    this.show();
  }

  seek(event) {
    const box = this.part("scores").getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.left) / box.width) * this.replay.last));
  }

  togglePlay() {
    if (this.timer !== null) {
      this.pause();
      return;
    }
    if (this.frame === this.replay.last) {
      this.go(0);
    }
    this.setPlaying(true);
    this.tick();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.go(this.frame + 1);
      if (this.frame === this.replay.last) {
        this.pause();
      } else {
        this.tick();
      }
    }, 1000 / Number(this.part("speed").value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.setPlaying(false);
  }

  setPlaying(playing) {
    this.root.classList.toggle("playing", playing);
    this.part("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    // Announced while stepping, silent while playing.
    this.part("turn").setAttribute("aria-live", playing ? "off" : "polite");
  }

  neighbour(step) {
    const options = this.part("game").options;
    const index = this.part("game").selectedIndex + step;
    if (index >= 0 && index < options.length) {
      this.open(options[index].value, 0);
    }
  }

  key(event) {
    const target = event.target;
    if (!this.replay || event.ctrlKey || event.altKey || event.metaKey || target.matches("select")) {
      return;
    }
    const big = event.shiftKey ? BIG_STEP : 1;
    const actions = {
      ArrowLeft: () => this.go(this.frame - big),
      ArrowRight: () => this.go(this.frame + big),
      ArrowUp: () => this.neighbour(-1),
      ArrowDown: () => this.neighbour(1),
      Home: () => this.go(0),
      End: () => this.go(this.replay.last),
      v: () => this.toggleAll(),
      " ": () => this.togglePlay(),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // On a button the space bar presses that button.
    const action = name === " " && target.matches("button") ? null : actions[name];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  /** All principal variations on the board, or none. */
  toggleAll() {
    const none = this.shown.size === 0;
    this.shown = new Set(none ? this.replay.snakes.keys() : []);
    this.show();
  }

  updateAddress() {
    if (this.timer === null) {
      const turn = this.replay.data.first_turn + this.frame;
      history.replaceState(null, "", `#game=${this.current}&turn=${turn}`);
    }
  }
}

const report = JSON.parse(document.getElementById("report-data").textContent);
const root = document.getElementById("viewer");
if (report.games.length && "DecompressionStream" in window) {
  const viewer = new Viewer(report, root);
  if (viewer.follow()) {
    root.scrollIntoView();
    viewer.part("stage").focus({ preventScroll: true });
  }
} else if (report.games.length) {
  const problem = root.querySelector('[data-part="problem"]');
  problem.textContent = "This browser is too old for replays: it has no DecompressionStream.";
}
