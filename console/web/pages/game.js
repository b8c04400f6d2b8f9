// The page of a game and of an analysis: a recorded game, a live one that grows by server-sent events, or a position.

import { inAddress, numberInAddress } from "/viewer/address.js";
import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { bodyInAddress, settingsInAddress } from "./analysis/address.js";
import { Position, startPosition } from "./analysis/position.js";
import { Review } from "./analysis/review.js";
import { describe, section, Study } from "./analysis/study.js";
import { fillTop, followEvents, kindOf, Problem, request, resultOf, say, whenOf, wordsOf } from "./console.js";
import { filmButtons } from "./films.js";

const gameId = inAddress("game");
const gamePath = `/api/games/${encodeURIComponent(gameId)}`;
const place = (id) => document.getElementById(id);

/** Names the line that is shown at the top of the page. */
function describeLine({ game, isGame }, position) {
  const names = looksOf(game.snakes).map(({ name }) => name);
  const title = isGame && names.length ? names.join(" – ") : isGame ? "Game" : "Analysis";
  place("title").textContent = title;
  document.title = `${title} – Battlesnake console`;
  place("facts").textContent = isGame ? factsOf(game) : describe(position);
}

function factsOf(game) {
  const { name } = resultOf({ ...game.data, over: game.over, result: game.result });
  const limit = game.data.timeout_ms ? `${game.data.timeout_ms} ms a move` : "";
  return [kindOf(game.data), limit, game.data.source, name, whenOf(game.data.started_at)].filter(Boolean).join(" · ");
}

/** Lets a game grow by events, and asks for all of it again whenever the connection is new. */
function follow(game, grown, ended) {
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
  const stop = followEvents(`${gamePath}/events`, {
    open: async () => {
      const { turns, over, result } = await request(gamePath);
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

/** Opens the game of the address, and reviews it when it is over. */
async function openGame(study) {
  const game = new Game(await request(gamePath));
  if (!game.numbers.length) {
    throw new Problem(game.over ? "No turn of this game was recorded." : "No turn of this game has come yet. Reload the page in a moment.");
  }
  const turn = numberInAddress("turn");
  const line = study.add({ game, isGame: true, words: "The game" }, turn ?? undefined);
  study.viewer.buttons.append(...filmButtons(gamePath, gameId, study.viewer.said));
  const review = (opens) => {
    const goTo = (each) => study.open(line, each);
    const openLine = (from, pv) => {
      study.open(line, from);
      study.step({ game, number: from, pv, count: 1, opens: true });
    };
    study.review = new Review(game, study.viewer, { goTo, openLine, changed: () => study.viewer.show() });
    study.viewer.aside.prepend(section("Review", study.review.element));
    study.review.explainLoss(opens);
  };
  if (game.over) {
    review(turn === null);
  } else {
    const grown = () => study.line === line && study.viewer.update();
    follow(game, grown, () => review(false));
  }
  return line;
}

async function openAddress(study) {
  const line = gameId ? await openGame(study) : null;
  const body = await bodyInAddress();
  if (body) {
    const position = Position.fromBody(body);
    study.add({ game: position.toGame(), position, parent: line, from: line && study.viewer.turn, words: line ? "From the address" : "" });
  } else if (!line) {
    openStart(study);
  }
}

function openStart(study) {
  const position = startPosition();
  study.add({ game: position.toGame(), position });
}

async function start() {
  fillTop(gameId ? "" : "game.html");
  const study = new Study(describeLine);
  const told = [];
  const hold = (error) => told.push(wordsOf(error));
  await openAddress(study).catch((error) => {
    hold(error);
    openStart(study);
  });
  try {
    const settings = settingsInAddress();
    await (settings ? study.search.restore(settings) : gameId || study.search.prepare());
  } catch (error) {
    hold(error);
  }
  say(told.join(" "));
}

start().catch((error) => say(wordsOf(error)));
