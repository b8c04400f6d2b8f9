// What the viewer writes: moves, scores, outcomes, causes of death.

export const MISSING = "–";
export const ARROWS = { __proto__: null, up: "↑", down: "↓", left: "←", right: "→" };

const CAUSES = {
  __proto__: null,
  "head-collision": "head to head",
  "snake-collision": "another's body",
  "snake-self-collision": "own body",
  "wall-collision": "wall",
  "out-of-health": "starved",
  hazard: "hazard",
};

/** The share of its budget below which a search has left the rest to others. */
const SHARED = 0.8;

const STOPS = {
  __proto__: null,
  time: "time used up",
  deadline: "time used up",
  depth: "depth limit",
  nodes: "node limit",
  decided: "decided",
  solved: "decided",
  only_move: "only one move",
  cancelled: "cancelled",
};

/** The words for the official engine's name of a cause; names of other causes stay as they are. */
export function causeText(cause) {
  return CAUSES[cause] ?? cause ?? "cause unknown";
}

/** The words for the cause of a death, and for the late answer that led to it. */
export function deathText({ cause, late }) {
  return causeText(cause) + (late ? ", late answer" : "");
}

/** The score that a search gave to a turn's position; null for a turn with a single move, which has none of its own. */
export function ownScore({ score, stop }) {
  return stop === "only_move" ? null : (score ?? null);
}

/** A move's score, or its proven end: "≤ −0.120", "draw in 9". */
export function worthText({ score, outcome, exact }) {
  return outcomeText(outcome) ?? (exact === false ? "≤ " : "") + scoreText(score);
}

/** What stopped the search of a decision. */
export function stopText({ stop, time_ms: time, budget_ms: budget }) {
  if (stop === "time" && time < SHARED * budget) {
    return "other searches";
  }
  return STOPS[stop] ?? String(stop).replaceAll("_", " ");
}

/** A score with its sign, from −1 (lost) to +1 (won). */
export function scoreText(score) {
  if (score === null || score === undefined) {
    return MISSING;
  }
  const ending = { 1: " won", "-1": " lost" }[score] ?? "";
  return (score < 0 ? "−" : "+") + Math.abs(score).toFixed(3) + ending;
}

/** How a game is proven to end, as "loss in 9"; null while nothing is proven. */
export function outcomeText(outcome) {
  return outcome ? `${outcome.kind} in ${outcome.turns}` : null;
}

/** A whole number with separators, or a dash. */
export function countText(count) {
  return count ? Math.round(count).toLocaleString("en") : MISSING;
}

export function millisecondsText(milliseconds, digits = 1) {
  return milliseconds === null || milliseconds === undefined ? MISSING : `${milliseconds.toFixed(digits).replace("-", "−")}\u00a0ms`;
}

/** What went wrong with a decision, in a word or two; null if nothing did. */
export function faultText(decision) {
  if (!decision) {
    return null;
  }
  const source = decision.source === "reflex" ? "reflex" : null;
  return decision.fault ?? (decision.late ? "late" : source);
}

/** "1 turn", "2 turns". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
