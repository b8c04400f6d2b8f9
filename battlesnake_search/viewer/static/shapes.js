// Heads and tails of snakes, by their official names. A cell is one unit; a head looks to the right, a tail to the left.

import { svg } from "./dom.js";

const ROUND = "M-0.5,-0.37 L0,-0.37 Q0.44,-0.37 0.44,0 Q0.44,0.37 0,0.37 L-0.5,0.37";
const BLUNT = "M-0.5,-0.37 L0.18,-0.37 Q0.38,-0.37 0.38,-0.17 L0.38,0.17 Q0.38,0.37 0.18,0.37 L-0.5,0.37";
const SLIM = "M-0.5,-0.37 L0.06,-0.37 Q0.36,-0.3 0.49,-0.06 L0.49,0.06 Q0.36,0.3 0.06,0.37 L-0.5,0.37";
const STAIRS = "M-0.5,-0.37 H0.19 V-0.33 H0.32 V-0.21 H0.42 V0.21 H0.32 V0.33 H0.19 V0.37 H-0.5";
const OPEN = "M-0.5,-0.37 L0.2,-0.42 Q0.42,-0.4 0.42,-0.3 Q0.2,0 0.42,0.3 Q0.42,0.4 0.2,0.42 L-0.5,0.37";
const BIG = "M-0.5,-0.37 L-0.2,-0.37 Q0.02,-0.46 0.2,-0.4 Q0.48,-0.3 0.48,0 Q0.48,0.3 0.2,0.4 Q0.02,0.46 -0.2,0.37 L-0.5,0.37";

const LOOKING = eyes(0.08, 0.19, 0.125);

/** {skull, parts} by name: an outline in the snake's colour, open towards the neck, and [name, attributes] of what is drawn on it. */
const HEADS = {
  // Strangers choose the names, and "constructor" is a member of other objects.
  __proto__: null,
  default: { skull: ROUND, parts: LOOKING },
  beluga: { skull: BIG, parts: eyes(0.02, 0.27, 0.08) },
  bendr: { skull: BLUNT, parts: [shape("M0.02,-0.28 H0.26 V0.28 H0.02 Z", "ink"), dot(0.14, -0.14, 0.08, "eye"), dot(0.14, 0.14, 0.08, "eye")] },
  dead: { skull: ROUND, parts: [-0.19, 0.19].map((y) => shape(`M-0.02,${y - 0.09} l0.18,0.18 m0,-0.18 l-0.18,0.18`, "crossed")) },
  evil: { skull: SLIM, parts: [...eyes(-0.02, 0.17, 0.11), shape("M0.16,-0.08 L-0.12,-0.3 M0.16,0.08 L-0.12,0.3", "crossed")] },
  fang: { skull: ROUND, parts: [...LOOKING, shape("M0.33,-0.17 L0.49,-0.13 L0.36,-0.06 Z M0.33,0.17 L0.49,0.13 L0.36,0.06 Z", "eye")] },
  pixel: { skull: STAIRS, parts: [shape("M0,-0.25 H0.12 V-0.13 H0 Z M0,0.13 H0.12 V0.25 H0 Z", "ink")] },
  safe: { skull: BLUNT, parts: [shape("M-0.22,-0.34 V0.34", "seam"), ...eyes(0.1, 0.18, 0.11)] },
  "sand-worm": { skull: OPEN, parts: [shape("M0.42,-0.3 Q0.14,0 0.42,0.3 Q0.36,0 0.42,-0.3 Z", "ink"), shape("M0.36,-0.27 L0.22,-0.2 L0.32,-0.13 L0.2,-0.06 L0.2,0.06 L0.32,0.13 L0.22,0.2 L0.36,0.27", "teeth")] },
  silly: { skull: ROUND, parts: [dot(0.02, -0.19, 0.16, "eye"), dot(0.1, -0.15, 0.07, "ink"), dot(0.14, 0.2, 0.1, "eye"), dot(0.12, 0.24, 0.05, "ink")] },
  smile: { skull: ROUND, parts: [...eyes(-0.02, 0.2, 0.11), shape("M0.2,-0.16 Q0.42,0 0.2,0.16", "seam")] },
  tongue: { skull: ROUND, parts: [shape("M0.4,0 H0.58 M0.58,0 L0.68,-0.07 M0.58,0 L0.68,0.07", "tongue"), ...LOOKING] },
  viper: { skull: SLIM, parts: [...eyes(0, 0.17, 0.09), shape("M0.4,-0.04 h0.01 M0.4,0.04 h0.01", "crossed")] },
};

const TAPER = "M1,-0.37 L0.5,-0.35 Q-0.1,-0.28 -0.34,-0.1 Q-0.42,0 -0.34,0.1 Q-0.1,0.28 0.5,0.35 L1,0.37 Z";
const STUMP = "M1,-0.37 L0.4,-0.36 Q0.2,-0.36 0.1,-0.25 L0.1,0.25 Q0.2,0.36 0.4,0.36 L1,0.37 Z";

/** The outlines of tails by name. */
const TAILS = {
  __proto__: null,
  default: TAPER,
  "block-bum": "M1,-0.37 H-0.3 V0.37 H1 Z",
  bolt: "M1,-0.37 H0.4 L0.3,-0.05 H0.1 L0.02,-0.24 L-0.42,0.1 L-0.05,0.06 L0.05,0.34 L0.4,0.37 H1 Z",
  curled: "M1,-0.37 L0.5,-0.35 Q0,-0.3 -0.2,-0.12 Q-0.4,-0.4 -0.1,-0.42 Q-0.36,-0.5 -0.42,-0.2 Q-0.44,0.2 0.5,0.35 L1,0.37 Z",
  "fat-rattle": `${STUMP} ${knob(0.08, 0.27)} ${knob(-0.13, 0.21)} ${knob(-0.3, 0.14)}`,
  hook: "M1,-0.37 L0.5,-0.35 Q-0.44,-0.3 -0.4,0.16 L-0.22,0.36 L-0.16,0.12 Q-0.1,0.04 0.5,0.35 L1,0.37 Z",
  pixel: "M1,-0.37 H0.5 V-0.28 H0.2 V-0.19 H-0.1 V-0.09 H-0.36 V0.09 H-0.1 V0.19 H0.2 V0.28 H0.5 V0.37 H1 Z",
  "round-bum": "M1,-0.37 H0 Q-0.36,-0.37 -0.36,0 Q-0.36,0.37 0,0.37 H1 Z",
  sharp: "M1,-0.37 H0.5 L-0.46,0 L0.5,0.37 H1 Z",
  skinny: "M1,-0.37 L0.6,-0.3 Q0.3,-0.12 -0.4,-0.07 Q-0.46,0 -0.4,0.07 Q0.3,0.12 0.6,0.3 L1,0.37 Z",
  "small-rattle": `${STUMP} ${knob(0.08, 0.18)} ${knob(-0.06, 0.14)} ${knob(-0.18, 0.1)}`,
};

/** The drawing of a head by its official name; unknown ones look like the default. */
export function headShape(name) {
  const { skull, parts } = HEADS[name] ?? HEADS.default;
  return [svg("path", { d: skull, class: "skull" }), ...parts.map(([element, attributes]) => svg(element, attributes))];
}

/** The outline of a tail by its official name; unknown ones look like the default. */
export function tailOutline(name) {
  return TAILS[name] ?? TAPER;
}

function eyes(x, y, r) {
  return [-y, y].flatMap((each) => [dot(x, each, r, "eye"), dot(x + r / 3, each, r / 2, "ink")]);
}

function dot(cx, cy, r, name) {
  return ["circle", { cx, cy, r, class: name }];
}

function shape(d, name) {
  return ["path", { d, class: name }];
}

function knob(x, r) {
  return `M${x - r},0 a${r},${r} 0 1 0 ${2 * r},0 a${r},${r} 0 1 0 ${-2 * r},0 Z`;
}
