// The names and colours by which the viewer tells the snakes of a game apart.

const PALETTE = 8;

/** The colours of the palette for further snakes of one colour, the most unlike each other first. */
const TWINS = [1, 3, 0, 5, 6, 4, 7, 2];

/** {name, colour} of each snake. Namesakes are numbered; of snakes with one colour, only the first keeps it. */
export function looksOf(snakes) {
  return snakes.map((snake, index) => {
    const own = snake.color?.toLowerCase();
    const twins = snakes.slice(0, index).filter((other) => other.color?.toLowerCase() === own).length;
    const side = own ? TWINS[(twins - 1) % PALETTE] : index % PALETTE;
    return { name: nameOf(snakes, index), colour: own && !twins ? own : `var(--side-${side})` };
  });
}

function nameOf(snakes, index) {
  const { name } = snakes[index];
  const namesakes = snakes.filter((other) => other.name === name).length;
  const number = snakes.slice(0, index + 1).filter((other) => other.name === name).length;
  const words = name || "unnamed snake";
  return namesakes > 1 ? `${words} #${number}` : words;
}
