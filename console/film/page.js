// The page of one game, in a file of its own.

/** Shows the snakes beside the board, because nothing is known of their searches. */
function layBare(viewer) {
  viewer.root.classList.add("bare");
  viewer.aside.replaceChildren(viewer.cardList);
  viewer.graph.element.hidden = true;
  viewer.scores.parentElement.remove();
}

async function show() {
  const game = new Game(await inflated(document.getElementById("data").textContent));
  const viewer = new Viewer(document.getElementById("game"), { scope: document });
  viewer.open(game);
  if (!game.snakes.some((_, snake) => game.decides(snake))) {
    layBare(viewer);
  }
}

document.querySelector("header").append(themeButton());
show().catch((error) => {
  document.getElementById("problem").textContent = `The game can't be shown: ${error.message}`;
});
