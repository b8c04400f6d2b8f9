// The names and colours by which the viewer tells the snakes of a game apart.

const PALETTE = 8;

/** {name, colour} of each snake. Namesakes are numbered; of snakes with one colour, only the first keeps it. */
export function looksOf(snakes) {
  return snakes.map((snake, index) => {
    const own = snake.color?.toLowerCase();
    const taken = snakes.slice(0, index).some((other) => other.color?.toLowerCase() === own);
    return { name: nameOf(snakes, index), colour: own && !taken ? own : `var(--side-${index % PALETTE})` };
  });
}

function nameOf(snakes, index) {
  const { name } = snakes[index];
  const namesakes = snakes.filter((other) => other.name === name).length;
  const number = snakes.slice(0, index + 1).filter((other) => other.name === name).length;
  const words = name || "unnamed snake";
  return namesakes > 1 ? `${words} #${number}` : words;
}
