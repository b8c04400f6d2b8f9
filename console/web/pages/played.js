// A game of the console: its request, its words, and its growth while it is played.

import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { followEvents, kindOf, Problem, request, resultOf, say, whenOf } from "./console.js";

/** The address of a game in the API. */
export function pathOf(id) {
  return `/api/games/${encodeURIComponent(id)}`;
}

/** A game by its id. Throws a Problem. */
export async function requestGame(id) {
  const game = new Game(await request(pathOf(id)));
  if (!game.numbers.length) {
    throw new Problem(game.over ? "No turn of this game was recorded." : "No turn of this game has come yet. Reload the page in a moment.");
  }
  return game;
}

/** The names of a game's snakes. */
export function titleOf(game) {
  return looksOf(game.snakes).map(({ name }) => name).join(" – ") || "Game";
}

/** What is played, the source and the result of a game, in a line. */
export function factsOf(game) {
  const { name } = resultOf({ ...game.data, over: game.over, result: game.result });
  const limit = game.data.timeout_ms ? `${game.data.timeout_ms} ms a move` : "";
  return [kindOf(game.data), limit, game.data.source, name, whenOf(game.data.started_at)].filter(Boolean).join(" · ");
}

/** Lets a game grow by events, and asks for all of it again whenever the connection is new. */
export function followGame(game, grown, ended) {
  const path = pathOf(game.data.id);
  const grow = () => {
    say("");
    grown();
  };
  const end = (result) => {
    game.end(result);
    stop();
    grow();
    ended();
  };
  const stop = followEvents(`${path}/events`, {
    open: async () => {
      const { turns, over, result } = await request(path);
      const before = game.last;
      turns.forEach((turn) => game.addTurn(turn));
      grow();
      if (over && result) {
        end(result);
      } else if (over && game.last === before) {
        // A console that was started again takes the game up with the next move.
        say("The console was started again, and no turn has come since. The game may be broken off.");
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
