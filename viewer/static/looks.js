// The names and colours by which the viewer tells the snakes of a game apart.

const PALETTE = 8;

/** {name, colour} of each snake. Namesakes are numbered; snakes of one colour get shades of it. */
export function looksOf(snakes) {
  return snakes.map((snake, index) => {
    const colour = colourOf(snake, index);
    const twins = snakes.filter((other, place) => place < index && colourOf(other, place) === colour).length;
    const share = Math.round(100 - 45 * (1 - 0.5 ** twins));
    return {
      name: nameOf(snakes, index),
      colour: twins ? `color-mix(in srgb, ${colour} ${share}%, var(--ink))` : colour,
    };
  });
}

function colourOf(snake, index) {
  return snake.color ? snake.color.toLowerCase() : `var(--side-${index % PALETTE})`;
}

function nameOf(snakes, index) {
  const { name } = snakes[index];
  const namesakes = snakes.filter((other) => other.name === name).length;
  const number = snakes.slice(0, index + 1).filter((other) => other.name === name).length;
  const words = name || "unnamed snake";
  return namesakes > 1 ? `${words} #${number}` : words;
}
