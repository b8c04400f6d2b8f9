// The page of a game and of an analysis: a recorded game, a live one that grows by server-sent events, or a position.

import { inAddress, numberInAddress } from "/viewer/address.js";
import { holdLoad } from "/viewer/dom.js";
import { bodyInAddress, settingsInAddress } from "./analysis/address.js";
import { Position, startPosition } from "./analysis/position.js";
import { Review } from "./analysis/review.js";
import { describe, Study } from "./analysis/study.js";
import { fillTop, say, section, wordsOf } from "./console.js";
import { filmButtons } from "./films.js";
import { factsOf, followGame, requestGame, titleOf } from "./played.js";

const gameId = inAddress("game");
const place = (id) => document.getElementById(id);

/** Names the line that is shown at the top of the page. */
function describeLine({ game, isGame }, position) {
  const title = isGame ? titleOf(game) : "Analysis";
  place("title").textContent = title;
  document.title = `${title} – Battlesnake console`;
  place("facts").textContent = isGame ? factsOf(game) : describe(position);
}

/** Opens the game of the address, and reviews it when it is over. */
async function openGame(study) {
  const game = await requestGame(gameId);
  const turn = numberInAddress("turn");
  const line = study.add({ game, isGame: true, words: "The game" }, turn ?? undefined);
  study.viewer.buttons.append(...filmButtons(gameId, study.viewer.said));
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
    followGame(game, grown, () => review(false));
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

holdLoad(start().catch((error) => say(wordsOf(error))));
