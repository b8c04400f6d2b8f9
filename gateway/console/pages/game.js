// The page of a game: a recorded one, or a live one that grows by server-sent events; and its blunders.

import { inAddress } from "/viewer/address.js";
import { html, wordButton } from "/viewer/dom.js";
import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { Viewer } from "/viewer/viewer.js";
import { counted, scoreText } from "/viewer/words.js";
import { fillTop, followEvents, kindOf, post, request, resultOf, say, whenOf } from "./console.js";

const HOW = "Searches every turn of the chosen snake again, and the turns that decide for longer. This takes 10 to 20 seconds.";
const ENDINGS = { won: "won", lost: "lost", draw: "drew", unknown: "has no known result" };
const id = inAddress("game");
const snake = inAddress("snake");
const analyse = document.getElementById("analyse");
const path = `/api/games/${encodeURIComponent(id)}`;
const query = snake ? `?${new URLSearchParams({ snake })}` : "";

function describe(game) {
  const names = looksOf(game.snakes).map(({ name }) => name);
  const { name } = resultOf({ ...game.data, over: game.over, result: game.result });
  const title = names.length > 1 ? names.join(" – ") : (names[0] ?? "Game");
  document.getElementById("title").textContent = title;
  document.title = `${title} – Battlesnake console`;
  const limit = game.data.timeout_ms ? `${game.data.timeout_ms} ms a move` : "";
  const facts = [kindOf(game.data), limit, game.data.source, name, whenOf(game.data.started_at)];
  document.getElementById("facts").textContent = facts.filter(Boolean).join(" · ");
}

/** Lets a game grow by events, and asks for all of it again whenever the connection is new. */
function follow(game, viewer, ended) {
  const grow = () => {
    say("");
    viewer.update();
    describe(game);
  };
  const end = (result) => {
    game.end(result);
    stop();
    grow();
    ended();
  };
  const stop = followEvents(`${path}/events${query}`, {
    open: async () => {
      const { turns, over, result } = await request(path + query);
      const before = game.last;
      turns.forEach((turn) => game.addTurn(turn));
      grow();
      if (over && result) {
        end(result);
      } else if (over && game.last === before) {
        // A gateway that was started again takes the game up with the next move.
        say("The gateway was started again, and no turn has come since. The game may be broken off.");
      }
    },
    error: () => game.over || say("The connection is lost. Trying again …"),
    turn: (event) => {
      game.addTurn(JSON.parse(event.data));
      grow();
    },
    decision: (event) => {
      const { turn, snake: index, decision } = JSON.parse(event.data);
      game.addDecision(turn, index, decision);
      grow();
    },
    end: (event) => end(event.data ? JSON.parse(event.data).result : null),
  });
}

/** Lets the link lead to the turn that is shown, and to the snake whose decision is. */
function linkAnalysis({ turn, game, chosen }) {
  const snakeId = game.snakes[chosen]?.id;
  analyse.href = `analysis.html?${new URLSearchParams({ game: id, turn, ...(snakeId ? { snake: snakeId } : {}) })}`;
  analyse.hidden = false;
}

/** A button that searches the turns of a game again, and the list of its blunders. */
class Blunders {
  /** A section about a game of a viewer that is over. */
  constructor(root, game, viewer) {
    this.game = game;
    this.viewer = viewer;
    this.button = wordButton("review", "Find blunders", () => this.start());
    this.progress = html("progress", { max: 1, value: 0, hidden: "", "aria-label": "Progress of the review" });
    this.said = html("p", { class: "note", role: "status", "data-part": "review-said" }, HOW);
    this.list = html("ol", { class: "blunders", "data-part": "blunders" });
    root.append(html("h2", {}, "Blunders"), html("div", { class: "row" }, this.button, this.progress), this.said, this.list);
    root.hidden = false;
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
    if (this.opens && review.lost_at !== null) {
      this.viewer.player.go(review.lost_at);
    }
    this.opens = false;
  }

  summary(review) {
    const snake = this.game.snakes.find(({ id }) => id === review.snake);
    const words = [`${snake.name || snake.id} ${ENDINGS[review.result]}.`];
    if (review.lost_at !== null) {
      words.push(`The losing turn is ${review.lost_at}.`);
    }
    if (review.story) {
      words.push(`It was ${review.story}.`);
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

async function start() {
  fillTop("game.html");
  if (!id) {
    say("The address names no game. Choose one at Home.");
    return;
  }
  const game = new Game(await request(path + query));
  describe(game);
  if (!game.numbers.length && game.over) {
    say("No turn of this game was recorded.");
    return;
  }
  const root = document.getElementById("game");
  root.hidden = false;
  // The viewer writes its turn into the address.
  const namesTurn = inAddress("turn") !== null;
  const viewer = new Viewer(root, { scope: document, shown: linkAnalysis });
  viewer.open(game);
  const review = (opens) => new Blunders(document.getElementById("blunders"), game, viewer).explainLoss(opens);
  if (game.over) {
    review(!namesTurn);
  } else {
    follow(game, viewer, () => review(false));
  }
}

start().catch((error) => say(error.message));
