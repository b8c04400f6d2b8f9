// The names and colours by which the viewer tells the snakes of a game apart.

/** The light theme's colours of the palette, as in the style sheet. */
export const PALETTE = ["#1767c2", "#c2500a", "#17804d", "#8a3fb8", "#0b7a8c", "#c02450", "#766800", "#5a6270"];

const LONGEST_NAME = 40;

/** The distance of red, green and blue below which two colours look alike. */
const ALIKE = 60;

// Control characters, marks of direction, and invisible marks. Joiners stay, because emoji have them.
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const letters = new Intl.Segmenter();

/** {name, full, colour} of each snake. Namesakes are numbered; of snakes of like colours, only the first keeps its own. */
export function looksOf(snakes) {
  const wished = snakes.map(({ color }) => (/^#[0-9a-f]{6}$/i.test(color ?? "") ? color.toLowerCase() : null));
  const owned = wished.map((colour, index) => (wished.slice(0, index).some((other) => colour && other && alike(colour, other)) ? null : colour));
  const taken = owned.filter(Boolean);
  return snakes.map((snake, index) => ({ ...nameIn(snakes, index), colour: inScheme(owned[index] ?? fromPalette(taken)) }));
}

/** The colour of the palette that is the least like all others, which it joins. */
function fromPalette(taken) {
  const nearest = PALETTE.map((colour) => Math.min(...taken.map((other) => distance(colour, other)), Infinity));
  const best = nearest.indexOf(Math.max(...nearest));
  taken.push(PALETTE[best]);
  return PALETTE[best];
}

/** A colour in the reader's scheme, if it is one of the palette. */
function inScheme(colour) {
  const side = PALETTE.indexOf(colour);
  return side < 0 ? colour : `var(--side-${side})`;
}

function alike(one, other) {
  const chosen = PALETTE.includes(one) && PALETTE.includes(other);
  return one === other || (!chosen && distance(one, other) < ALIKE);
}

function distance(one, other) {
  const [a, b] = [one, other].map((colour) => [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16)));
  return Math.hypot(...a.map((value, place) => value - b[place]));
}

function nameIn(snakes, index) {
  const { name } = snakes[index];
  const namesakes = snakes.filter((other) => other.name === name).length;
  const number = snakes.slice(0, index + 1).filter((other) => other.name === name).length;
  const full = (name ?? "").replace(INVISIBLE, "").replace(PILED_MARKS, "$1").trim() || "unnamed snake";
  return { name: isolated(shortened(full)) + (namesakes > 1 ? ` #${number}` : ""), full };
}

function shortened(name) {
  const parts = [...letters.segment(name)].map(({ segment }) => segment);
  return parts.length > LONGEST_NAME ? `${parts.slice(0, LONGEST_NAME - 1).join("")}…` : name;
}

/** A name whose direction does not change the text around it. */
function isolated(name) {
  return FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name;
}
