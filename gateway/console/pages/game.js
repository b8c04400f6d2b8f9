// The page of a game: a recorded one, or a live one that grows by server-sent events.

import { inAddress } from "/viewer/address.js";
import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { Viewer } from "/viewer/viewer.js";
import { Blunders } from "./blunders.js";
import { fillTop, followEvents, kindOf, request, resultOf, say, whenOf } from "./console.js";

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
  const viewer = new Viewer(root, { scope: document, shown: linkAnalysis });
  viewer.open(game);
  const review = () => new Blunders(document.getElementById("blunders"), game, viewer);
  if (game.over) {
    review();
  } else {
    follow(game, viewer, review);
  }
}

start().catch((error) => say(error.message));
