// A card for each snake: its looks, length, health or death, and what its player reported in the turn.

import { html, styled, wordButton } from "./dom.js";
import { ARROWS, countText, deathText, faultText, millisecondsText, MISSING, ownScore, scoreText } from "./words.js";

const FIELDS = ["depth", "nodes", "score", "time"];

export class Card {
  constructor(snake, { name, full, colour }, onChoose, onToggle) {
    this.snake = snake;
    this.state = html("p", { class: "state" });
    this.bar = html("span", { class: "bar" });
    this.move = html("p", { class: "move" });
    this.fields = Object.fromEntries(FIELDS.map((field) => [field, html("dd", { class: field })]));
    const list = FIELDS.map((field) => html("div", {}, html("dt", {}, field), this.fields[field]));
    this.pv = html("p", { class: "variation" });
    this.choose = wordButton("choose", "Choose", () => onChoose(snake));
    this.choose.setAttribute("aria-label", `Choose ${name}: show its decisions, scores and graph`);
    this.toggle = wordButton("toggle", "Show line", () => onToggle(snake));
    this.toggle.classList.add("toggle");
    this.toggle.setAttribute("aria-label", `Show line: draw what ${name} expects on the board`);
    this.report = html("div", { class: "report" }, this.move, html("dl", { class: "reported" }, ...list), this.pv);
    this.row = html("div", { class: "row" }, this.choose, this.toggle);
    const heading = html("h3", {}, html("span", { class: "swatch" }), html("span", { class: "name", title: full }, name));
    const health = html("div", { class: "health", "aria-hidden": "true" }, this.bar);
    this.element = html("li", { class: "card", "data-snake": snake }, heading, this.state, health, this.report, this.row);
    styled(this.element, "--colour", colour);
  }

  show(game, number, looks, { chosen, shown }) {
    const alive = game.snake(this.snake, number);
    this.report.hidden = !game.decides(this.snake);
    this.toggle.hidden = !game.reportsPv(this.snake);
    this.row.hidden = game.snakes.length < 2 && this.toggle.hidden;
    this.element.classList.toggle("dead", !alive);
    this.state.textContent = alive ? `health ${alive.health} · length ${alive.body.length}` : this.deathText(game, number, looks);
    styled(this.bar, "--share", alive ? Math.min(alive.health, 100) / 100 : 0);
    this.bar.classList.toggle("low", Boolean(alive) && alive.health <= 20);
    this.showDecision(game, game.newest(this.snake, number).decision);
    this.choose.setAttribute("aria-pressed", String(chosen));
    this.toggle.setAttribute("aria-pressed", String(shown));
  }

  deathText(game, number, looks) {
    const death = game.death(this.snake, number);
    if (!death) {
      return "not seen";
    }
    const { since, by } = death;
    const killer = by === null || by === undefined || by === this.snake ? "" : `, by ${looks[by].name}`;
    // Without the board before, the snake may have died in an earlier turn.
    return `died ${game.at(since - 1) ? "in" : "by"} turn ${since}: ${deathText(death)}${killer}`;
  }

  showDecision(game, decision) {
    this.move.textContent = decision ? `${ARROWS[decision.move]} ${decision.move}` : MISSING;
    const fault = faultText(decision);
    if (fault) {
      this.move.append(html("span", { class: "fault" }, fault));
    }
    this.fields.depth.textContent = decision?.depth || MISSING;
    this.fields.nodes.textContent = countText(decision?.nodes);
    this.fields.score.textContent = scoreText(decision && ownScore(decision));
    this.fields.time.textContent = millisecondsText(decision?.time_ms);
    const own = decision?.pv ? game.movesByPv(decision.pv)[this.snake].map((move) => ARROWS[move]).join("") : "";
    this.pv.textContent = own ? `expects ${own}` : "no variation";
  }
}
