// The blunders of a game: a button that searches its turns again, and the list of what was found.

import { html, wordButton } from "/viewer/dom.js";
import { counted, scoreText } from "/viewer/words.js";
import { post } from "./console.js";

const HOW = "Searches every turn of the chosen snake again, briefly, and the turns that decide with up to ten times the time: 25 seconds in all.";

const ENDINGS = { won: "won", lost: "lost", draw: "drew", unknown: "has no known result" };

export class Blunders {
  /** A section about a game of a viewer that is over. */
  constructor(root, game, viewer) {
    this.game = game;
    this.viewer = viewer;
    this.button = wordButton("review", "Find blunders", () => this.start());
    this.progress = html("progress", { max: 1, value: 0, hidden: "", "aria-label": "Share of the time used" });
    this.said = html("p", { class: "note", role: "status", "data-part": "review-said" }, HOW);
    this.list = html("ol", { class: "blunders", "data-part": "blunders" });
    root.append(html("h2", {}, "Blunders"), html("div", { class: "row" }, this.button, this.progress), this.said, this.list);
    root.hidden = false;
  }

  async start() {
    const snake = this.game.snakes[this.viewer.chosen];
    const path = `/api/games/${encodeURIComponent(this.game.data.id)}/blunders?${new URLSearchParams({ snake: snake.id })}`;
    this.button.disabled = true;
    try {
      await post(path, {});
      this.follow(path);
    } catch (error) {
      this.end(error.message);
    }
  }

  follow(path) {
    const events = new EventSource(path);
    this.progress.hidden = false;
    this.said.textContent = "Searching …";
    this.list.replaceChildren();
    events.addEventListener("turn", (event) => {
      this.progress.value = JSON.parse(event.data).done;
    });
    events.addEventListener("review", (event) => {
      events.close();
      this.show(JSON.parse(event.data));
    });
    events.addEventListener("problem", (event) => {
      events.close();
      this.end(JSON.parse(event.data).error);
    });
    events.addEventListener("error", () => {
      events.close();
      this.end("The connection is lost.");
    });
  }

  end(words) {
    this.button.disabled = false;
    this.progress.hidden = true;
    this.said.textContent = words;
  }

  show(review) {
    const found = review.turns.filter(({ turn }) => review.blunders.includes(turn) || turn === review.lost_at);
    this.end(this.summary(review));
    this.list.replaceChildren(...found.map((turn) => this.item(turn, turn.turn === review.lost_at)));
    this.viewer.graph.mark(this.viewer.chosen, found.map(({ turn }) => turn));
  }

  summary(review) {
    const snake = this.game.snakes.find(({ id }) => id === review.snake);
    const words = [`${snake.name || snake.id} ${ENDINGS[review.result]}.`];
    if (review.lost_at !== null) {
      words.push(`The losing turn is ${review.lost_at}.`);
    }
    if (review.seen_at !== null) {
      words.push(`The loss was proven from turn ${review.seen_at} on, at depth ${review.seen_depth}.`);
    }
    const count = counted(review.blunders.length, "blunder");
    const dashed = this.viewer.graph.element.hidden ? "" : ", dashed in the graph";
    words.push(review.blunders.length ? `${count}${dashed}.` : `Of ${counted(review.turns.length, "move")}, none was much worse than another one.`);
    if (review.unsearched.length) {
      words.push(`There was no time for ${counted(review.unsearched.length, "turn")}.`);
    }
    return words.join(" ");
  }

  item({ turn, played, other }, losing) {
    const link = html("a", { href: `#turn=${turn}` }, `Turn ${turn}`);
    const best = other.score > played.score ? "better" : "the best other move";
    const note = losing ? html("strong", {}, " – the losing turn") : "";
    return html("li", {}, link, `: ${played.move} (${valueText(played)}), ${best}: ${other.move} (${valueText(other)})`, note);
  }
}

/** A score, or how the game is proven to end. */
function valueText({ score, depth, outcome }) {
  return outcome ? `${outcome.kind} in ${counted(outcome.turns, "turn")}` : `${scoreText(score)} at depth ${depth}`;
}
