// Score and depth over the turns of a game: a picture to click on, and the same as a table.

import { html, refill, styled, svg } from "./dom.js";
import { faultText, MISSING, outcomeText, ownScore, scoreText } from "./words.js";

const SCORES = [3, 63];
const DEPTHS = [70, 100];

export class Graph {
  constructor(onTurn) {
    this.onTurn = onTurn;
    this.plot = svg("svg", { class: "plot", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.plot.addEventListener("pointerdown", (event) => this.seek(event));
    this.plot.addEventListener("pointermove", (event) => event.buttons && this.seek(event));
    this.deepest = html("span", { class: "deepest" });
    this.caption = html("figcaption", {});
    this.body = html("tbody", {});
    this.table = html("details", { class: "table" }, html("summary", {}, "The same as a table"), this.tableBox());
    this.table.addEventListener("toggle", () => this.fillTable());
    const frame = html("div", { class: "frame" }, this.plot, ...this.labels(), this.deepest);
    this.element = html("figure", { class: "graph", "data-part": "graph" }, this.caption, frame, this.key(), this.table);
  }

  labels() {
    const words = { won: "won", even: "0", lost: "lost" };
    return Object.entries(words).map(([name, text]) => html("span", { class: name, "aria-hidden": "true" }, text));
  }

  key() {
    const fault = html("span", { class: "mark" }, "●");
    return html("p", { class: "note" }, "Line: score. Bars: depth. ", fault, " late answer, fault or reflex.");
  }

  tableBox() {
    const columns = ["turn", "move", "score", "depth", "length", "health", "fault"].map((name) => html("th", { scope: "col" }, name));
    const table = html("table", {}, html("thead", {}, html("tr", {}, ...columns)), this.body);
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Score and depth by turn" }, table);
  }

  /** Draws the decisions of a snake, and faintly the scores of the others. */
  draw(game, looks, chosen) {
    this.game = game;
    this.chosen = chosen;
    this.rows = game.decisions(chosen);
    this.element.hidden = !game.snakes.some((_, snake) => game.decides(snake));
    if (this.element.hidden) {
      return;
    }
    this.caption.textContent = `Score and depth of ${looks[chosen].name}, as its player reported them`;
    this.plot.setAttribute("viewBox", `${game.first - 0.5} 0 ${Math.max(game.last - game.first, 1) + 1} 103`);
    styled(this.plot, "--colour", looks[chosen].colour);
    const others = [...game.snakes.keys()].filter((snake) => snake !== chosen);
    this.cursor = svg("path", { class: "cursor" });
    this.plot.replaceChildren(
      svg("path", { class: "zero", d: `M${game.first - 0.5},${height(0)} H${game.last + 0.5}` }),
      ...others.map((snake) => this.line(game.decisions(snake), looks[snake].colour, "score other")),
      ...this.depths(),
      this.cursor,
      this.line(this.rows, looks[chosen].colour, "score"),
      svg("path", { class: "faults", d: this.faults() }),
      ...this.marks(),
    );
    this.fillTable();
  }

  line(rows, colour, name) {
    // The line passes over turns without a score, and is broken at turns without a decision.
    const known = [...rows.entries()].filter(([, [, decision]]) => ownScore(decision) !== null);
    const points = known.map(([place, [turn, { score }]], index) => {
      const [formerPlace, [formerTurn]] = known[index - 1] ?? [0, [-Infinity]];
      const joined = turn - formerTurn === place - formerPlace;
      return `${joined ? "L" : "M"}${turn},${height(score)}${joined ? "" : " h0"}`;
    });
    return styled(svg("path", { class: name, d: points.join(" ") }), "--colour", colour);
  }

  depths() {
    const known = this.rows.filter(([, { depth }]) => depth);
    // A search that has proven the end of the game is as deep as it likes: it would dwarf all others.
    const unproven = known.filter(([, { outcome }]) => !outcome);
    const most = Math.max(0, ...(unproven.length ? unproven : known).map(([, { depth }]) => depth));
    this.deepest.textContent = most ? `depth ${most}` : "";
    return known.map(([turn, { depth }]) => {
      const size = (DEPTHS[1] - DEPTHS[0]) * Math.min(depth / most, 1);
      return svg("rect", { class: "depth-bar", x: turn - 0.4, y: DEPTHS[1] - size, width: 0.8, height: size });
    });
  }

  faults() {
    const faults = this.rows.filter(([, decision]) => faultText(decision));
    return faults.map(([turn, { score }]) => `M${turn},${height(score ?? 0)} h0`).join(" ");
  }

  /** Marks turns of a snake with dashed lines, instead of those that were marked before. */
  mark(snake, turns) {
    this.plot.querySelectorAll(".marked").forEach((line) => line.remove());
    this.marked = { snake, turns };
    this.plot.append(...this.marks());
  }

  marks() {
    const turns = this.marked?.snake === this.chosen ? this.marked.turns : [];
    return turns.map((turn) => svg("path", { class: "marked", d: `M${turn},0 V${SCORES[1]}` }));
  }

  fillTable() {
    if (this.table.open && this.rows) {
      refill(this.body, ...this.rows.map((row) => this.tableRow(row)));
    }
  }

  tableRow([turn, decision]) {
    const button = html("button", { type: "button", class: "turn-link", "data-key": `turn-${turn}` }, String(turn));
    button.addEventListener("click", () => this.onTurn(turn));
    const { body, health } = this.game.snake(this.chosen, turn) ?? {};
    const score = outcomeText(decision.outcome) ?? scoreText(ownScore(decision));
    const cells = [decision.move, score, decision.depth || MISSING, body?.length ?? MISSING, health ?? MISSING, faultText(decision) ?? ""];
    return html("tr", {}, html("th", { scope: "row" }, button), ...cells.map((text) => html("td", {}, String(text))));
  }

  show(number) {
    this.cursor?.setAttribute("d", `M${number},0 V103`);
  }

  seek(event) {
    const box = this.plot.getBoundingClientRect();
    const span = this.game.last - this.game.first + 1;
    this.onTurn(Math.round(this.game.first - 0.5 + ((event.clientX - box.left) / box.width) * span));
  }
}

/** Where a score is in the picture. */
function height(score) {
  return SCORES[0] + ((1 - score) / 2) * (SCORES[1] - SCORES[0]);
}
