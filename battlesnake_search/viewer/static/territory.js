// Who reaches which cell first: a plain breadth-first flood from all heads at once, with bodies standing still.

const MOVES = ["up", "down", "left", "right"];

/** {cell, snake} of each free cell that a snake reaches before all others. The longest wins a tie; equals share none. A huge board has none. */
export function territory(game, number) {
  if (game.isHuge) {
    return [];
  }
  const taken = occupied(game, number);
  const owners = new Map();
  let frontier = game.living(number).map((snake) => ({ cell: game.snake(snake, number).body[0], snake }));
  while (frontier.length) {
    const claims = claimsOf(game, frontier, (key) => taken.has(key) || owners.has(key));
    frontier = [];
    for (const [key, { cell, snakes }] of claims) {
      const snake = strongest(game, number, snakes);
      owners.set(key, { cell, snake });
      if (snake !== null) {
        frontier.push({ cell, snake });
      }
    }
  }
  return [...owners.values()].filter(({ snake }) => snake !== null);
}

/** The cells under bodies. A tail that moves away in this turn is free. */
function occupied(game, number) {
  const cells = new Set();
  for (const snake of game.living(number)) {
    const { body } = game.snake(snake, number);
    const stacked = String(body[body.length - 1]) === String(body[body.length - 2]);
    (stacked ? body : body.slice(0, -1)).forEach((cell) => cells.add(String(cell)));
  }
  return cells;
}

/** The free cells next to a frontier, each with the snakes that step there. */
function claimsOf(game, frontier, isTaken) {
  const claims = new Map();
  for (const { cell, snake } of frontier) {
    for (const move of MOVES) {
      const next = game.neighbour(cell, move);
      const key = String(next);
      if (game.has(next) && !isTaken(key)) {
        const claim = claims.get(key) ?? { cell: next, snakes: new Set() };
        claim.snakes.add(snake);
        claims.set(key, claim);
      }
    }
  }
  return claims;
}

/** The only longest of some snakes, else null. */
function strongest(game, number, snakes) {
  const lengthOf = (snake) => game.snake(snake, number).body.length;
  const longest = Math.max(...[...snakes].map(lengthOf));
  const found = [...snakes].filter((snake) => lengthOf(snake) === longest);
  return found.length === 1 ? found[0] : null;
}
