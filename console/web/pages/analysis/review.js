// The review of a game: a button that searches the turns of a snake again, and the list of its blunders.

import { html, refill, tell, wordButton } from "/viewer/dom.js";
import { counted, scoreText } from "/viewer/words.js";
import { post, wordsOf } from "../console.js";

const HOW = "Searches every turn of the chosen snake again, and the turns that decide for longer. This takes some seconds.";
const ENDINGS = { won: "won", lost: "lost", draw: "drew", unknown: "has no known result" };

export class Review {
  /**
   * About a game that is over. `goTo` opens a turn of it, `openLine` a line of moves from a turn on; `changed` is called
   * when a review is there. Without `openLine`, only a review that the console has is shown.
   */
  constructor(game, viewer, { goTo, openLine = null, changed }) {
    Object.assign(this, { game, viewer, goTo, openLine, changed });
    this.button = wordButton("review", "Find blunders", () => this.start());
    this.progress = html("progress", { max: 1, value: 0, hidden: "", "aria-label": "Progress of the review" });
    this.said = html("p", { class: "note", role: "status", "data-part": "review-said" }, openLine ? HOW : "");
    this.list = html("ol", { class: "blunders", "data-part": "blunders" });
    this.better = wordButton("better", "Open the better line", () => this.openLine(this.review.lost_at, this.review.better_line));
    this.better.hidden = true;
    this.button.hidden = !openLine;
    this.element = html("div", {}, html("div", { class: "row" }, this.button, this.better, this.progress), this.said, this.list);
  }

  /** Review a game that the chosen snake has lost. `opens`: whether the page opens at the losing turn. */
  async explainLoss(opens) {
    const { winner } = this.game.result ?? {};
    if (winner != null && winner !== this.viewer.chosen) {
      this.opens = opens;
      await this.start();
    }
  }

  async start() {
    const snake = this.game.snakes[this.viewer.chosen];
    const path = `/api/games/${encodeURIComponent(this.game.data.id)}/blunders?${new URLSearchParams({ snake: snake.id })}`;
    this.button.setAttribute("aria-disabled", "true");
    try {
      if (this.openLine) {
        await post(path, {});
      }
      this.follow(path);
    } catch (error) {
      this.end(wordsOf(error));
    }
  }

  follow(path) {
    const events = new EventSource(path);
    this.progress.hidden = false;
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
      this.end(this.openLine ? "The connection is lost." : "The console has no review of this game.");
    });
  }

  end(words) {
    this.said.classList.add("note");
    this.button.setAttribute("aria-disabled", "false");
    this.progress.hidden = true;
    tell(this.said, words);
  }

  show(review) {
    this.review = review;
    const found = review.turns.filter(({ turn }) => review.blunders.includes(turn) || turn === review.lost_at);
    this.end(this.summary(review));
    this.said.classList.remove("note");
    this.better.hidden = !this.openLine || !review.better_line?.length;
    refill(this.list, ...found.map((turn) => this.item(turn, review.lost_at)));
    this.viewer.graph.mark(this.viewer.chosen, found.map(({ turn }) => turn));
    this.changed();
    if (this.opens && review.lost_at !== null) {
      this.goTo(review.lost_at);
    }
    this.opens = false;
  }

  /** The scores of a snake's moves in a turn, best first, as far as the review has them; null without any. */
  moves(snake, turn) {
    const found = this.review?.snake === snake ? this.review.turns.find((each) => each.turn === turn) : null;
    const moves = (found?.moves ?? [found?.played, found?.other]).filter(Boolean);
    return moves.length ? moves.map((each) => ({ exact: true, ...each })).sort((a, b) => b.score - a.score) : null;
  }

  summary(review) {
    const snake = this.game.snakes.findIndex(({ id }) => id === review.snake);
    const words = [`${this.viewer.looks[snake].name} ${ENDINGS[review.result]}.`, review.summary];
    if (review.unsearched.length) {
      words.push(`There was no time for ${counted(review.unsearched.length, "turn")}.`);
    }
    return words.join(" ");
  }

  item({ turn, played, other }, lostAt) {
    const losing = turn === lostAt;
    const forgiven = played.outcome?.kind === "loss" && lostAt !== null && turn < lostAt;
    const link = html("a", { href: `#turn=${turn}`, "data-key": `blunder-${turn}` }, `Turn ${turn}`);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.goTo(turn);
    });
    const note = losing ? html("strong", {}, " – the losing turn") : forgiven ? " – the opponents let it go" : "";
    if (!other) {
      return html("li", {}, link, `: ${played.move}, the only move`, note);
    }
    // The game itself shows that the move of the losing turn lost, even if no search proves it.
    const value = losing && played.outcome?.kind !== "loss" ? "lost, as the game shows" : valueText(played);
    const best = losing || other.score > played.score ? "better" : "the best other move";
    return html("li", {}, link, `: ${played.move} (${value}), ${best}: ${other.move} (${valueText(other)})`, note);
  }
}

/** A score, or how the game is proven to end. */
function valueText({ score, depth, outcome }) {
  return outcome ? `${outcome.kind} in ${counted(outcome.turns, "turn")}` : `${scoreText(score)} at depth ${depth}`;
}
