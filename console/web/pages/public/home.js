// The first public page: the games that are being played, and the last ones.

import { holdLoad } from "/viewer/dom.js";
import { fillTop, say, wordsOf } from "/console.js";
import { offerMore } from "/home-games.js";
import { follow, showAllGames } from "/home-live.js";

const failed = (error) => say(wordsOf(error));

async function refresh() {
  await showAllGames(failed).then(() => say(""), failed);
}

fillTop("index.html", { "index.html": "Games" });
offerMore(failed);
holdLoad(refresh().then(() => follow(refresh, failed)));
