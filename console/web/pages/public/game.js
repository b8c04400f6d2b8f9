// The public page of a game: its board, what our snakes thought, and the review that the console has.

import { inAddress } from "/viewer/address.js";
import { holdLoad } from "/viewer/dom.js";
import { Viewer } from "/viewer/viewer.js";
import { Review } from "../analysis/review.js";
import { fillTop, say, section, wordsOf } from "../console.js";
import { factsOf, followGame, requestGame, titleOf } from "../played.js";

function describe(game) {
  document.getElementById("title").textContent = document.title = titleOf(game);
  document.getElementById("facts").textContent = factsOf(game);
}

async function start() {
  fillTop("", { "index.html": "Games" });
  const game = await requestGame(inAddress("game") ?? "");
  const viewer = new Viewer(document.getElementById("game"), { scope: document });
  viewer.open(game);
  describe(game);
  const review = () => {
    describe(game);
    if ((game.result?.winner ?? viewer.chosen) === viewer.chosen) {
      return;
    }
    const goTo = (turn) => viewer.player.go(turn);
    const shown = new Review(game, viewer, { goTo, changed: () => viewer.show() });
    viewer.aside.prepend(section("Review", shown.element));
    shown.explainLoss(false);
  };
  if (game.over) {
    review();
  } else {
    followGame(game, () => viewer.update(), review);
  }
}

holdLoad(start().catch((error) => say(wordsOf(error))));
