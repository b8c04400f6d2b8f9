// What an evaluator makes of the position for each snake, and what each of its weights contributes.

import { html, styled } from "/viewer/dom.js";
import { scoreText } from "/viewer/words.js";
import { swatch } from "./editor.js";
import { numberText } from "./strategy.js";

export class Terms {
  constructor() {
    this.content = html("div", {});
    this.element = html("details", { class: "terms", "data-part": "terms" }, html("summary", {}, "What the evaluator says"), this.content);
  }

  get open() {
    return this.element.open;
  }

  fail(words) {
    this.content.replaceChildren(html("p", { class: "problem" }, words));
  }

  clear() {
    this.content.replaceChildren();
  }

  show(evaluation, position) {
    const scores = evaluation.snakes.map((each) => this.snake(each, position));
    const you = evaluation.snakes.find(({ id }) => id === position.you) ?? evaluation.snakes[0];
    const parts = [html("p", { class: "note" }, `Evaluator ${evaluation.evaluator}, without a search. The snake to move:`), this.table(you)];
    this.content.replaceChildren(html("ul", { class: "scores" }, ...scores), ...(you ? parts : []));
  }

  snake({ id, score }, position) {
    const snake = position.snakes.find((each) => each.id === id);
    return html("li", {}, swatch(snake.color), html("span", { class: "name" }, snake.name || id), html("strong", {}, scoreText(score)));
  }

  /** Each weight, what the value is without it, and a bar for the difference. */
  table({ value, weights }) {
    const most = Math.max(...weights.map((each) => Math.abs(value - each.value_without)), 1e-9);
    const head = ["weight", "is", "without it", "effect"].map((words) => html("th", { scope: "col" }, words));
    const rows = weights.map((each) => this.row(each, value - each.value_without, most));
    const bars = html("td", { "aria-hidden": "true" });
    return html(
      "div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Weights and their effects" },
      html("table", { class: "candidates" }, html("thead", {}, html("tr", {}, ...head, bars)), html("tbody", {}, ...rows)),
    );
  }

  row({ name, weight, replacement, value_without: without }, effect, most) {
    const bar = styled(html("span", { class: effect < 0 ? "bar bad" : "bar good" }), "--share", Math.abs(effect) / most);
    const instead = replacement ? ` (at ${numberText(replacement)})` : "";
    const cells = [numberText(weight), scoreText(without).replace(/ (won|lost)$/, "") + instead, scoreText(effect).replace(/ (won|lost)$/, "")];
    return html(
      "tr", { "data-weight": name }, html("th", { scope: "row" }, name), ...cells.map((words) => html("td", {}, words)),
      html("td", { class: "bars", "aria-hidden": "true" }, bar),
    );
  }
}
