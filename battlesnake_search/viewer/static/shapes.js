// Heads and tails of snakes, by their official names. A cell is one unit; a head looks to the right, a tail to the left.

import { svg } from "./dom.js";
import { SHAPES } from "./outlines.js";

/** The prefixes that the names of some heads and tails once had. */
const FORMER = /^(bwc|shac)-/;

/** The drawing of a head by its official name; unknown ones look like the default. */
export function headShape(name) {
  const { skull, parts } = named(SHAPES.heads, name);
  return [svg("path", { d: skull, class: "skull" }), ...parts.flatMap(drawn)];
}

/** The outline of a tail by its official name; unknown ones look like the default. */
export function tailOutline(name) {
  const { outline, knobs } = named(SHAPES.tails, name);
  return [outline, ...knobs.map(([x, r]) => `M${x - r},0 a${r},${r} 0 1 0 ${2 * r},0 a${r},${r} 0 1 0 ${-2 * r},0 Z`)].join(" ");
}

/** Strangers choose the names, and "constructor" is a member of every object. */
function named(shapes, name) {
  const now = String(name ?? "").replace(FORMER, "");
  return shapes[Object.hasOwn(shapes, now) ? now : "default"];
}

function drawn([kind, ...rest]) {
  if (kind === "eyes") {
    const [x, y, r] = rest;
    return [-y, y].flatMap((each) => [dot(x, each, r, "eye"), dot(x + r / 3, each, r / 2, "ink")]);
  }
  return kind === "dot" ? [dot(...rest)] : [svg("path", { d: rest[0], class: rest[1] })];
}

function dot(cx, cy, r, name) {
  return svg("circle", { cx, cy, r, class: name });
}
