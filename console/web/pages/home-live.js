// The games that are being played on the first page, each as a small board.

import { Board } from "/viewer/board.js";
import { html, styled, svg } from "/viewer/dom.js";
import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { IDLE, followEvents, linkTo, nameElement, request } from "./console.js";
import { showGames } from "./home-games.js";
import { arrange } from "./lists.js";

const PAUSE = 100;
const boards = new Map();

/** A small board of a game that is being played. */
function liveBoard(listed) {
  const picture = svg("svg", { class: "board", "aria-hidden": "true" });
  const count = html("p", { class: "count" });
  const looks = looksOf(listed.snakes);
  const names = looks.map(({ name, full, colour }) => styled(html("span", {}, html("span", { class: "swatch" }), nameElement(name, full)), "--colour", colour));
  const link = html("a", { href: linkTo(listed) }, picture, count, html("p", { class: "names" }, ...names));
  const game = new Game({ ...listed, turns: [] });
  return { game, count, element: html("li", {}, link), board: new Board(picture, game, looks) };
}

function drawLive({ game, count, board }) {
  board.draw(game.last);
  count.textContent = `Turn ${game.last}`;
}

async function showLive(games, failed) {
  const ids = new Set(games.map((game) => game.id));
  [...boards.keys()].filter((id) => !ids.has(id)).forEach((id) => boards.delete(id));
  const drawn = games.filter((game) => !boards.has(game.id)).map((listed) => {
    const live = liveBoard(listed);
    boards.set(listed.id, live);
    return request(`/api/games/${encodeURIComponent(listed.id)}`).then(({ turns }) => {
      turns.slice(-1).forEach((turn) => live.game.addTurn(turn));
      drawLive(live);
    }).catch(failed);
  });
  arrange(document.getElementById("now"), [...boards].map(([id, { element }]) => ({ key: id, data: id, draw: () => element })), "No game is being played.");
  await Promise.all(drawn);
}

/** Shows the games now and those that are over; `failed` receives the error of a board. */
export async function showAllGames(failed) {
  const { games } = await request("/api/games?state=playing&limit=200");
  const live = showLive(games.filter((game) => !(game.idle_s >= IDLE)), failed);
  await Promise.all([live, showGames(games.filter((game) => game.idle_s >= IDLE))]);
}

/** Calls a function soon, and once for several calls. */
function soon(action, failed) {
  let waiting = null;
  return () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      action().catch(failed);
    }, PAUSE);
  };
}

/** Follows all games; `refresh` is called when the connection is lost. */
export function follow(refresh, failed) {
  const again = soon(() => showAllGames(failed), failed);
  followEvents("/api/events", {
    start: again,
    end: again,
    open: again,
    error: () => refresh(),
    turn: (event) => {
      const { game, ...turn } = JSON.parse(event.data);
      const live = boards.get(game);
      if (live) {
        live.game.addTurn(turn);
        drawLive(live);
      } else {
        // A silent game goes on.
        again();
      }
    },
  });
}
