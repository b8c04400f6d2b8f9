// Turns the replays of arena matches into games.

import { Game } from "./game.js";

const LETTERS = { u: "up", d: "down", l: "left", r: "right" };

/** A game from a replay. Frame t is the board before the decisions of turn t; the last frame has no decisions. */
export function gameOf(replay, match, listed) {
  const { width, height, ruleset, map } = match.match;
  const frames = [...Array(replay.turns + 1).keys()];
  return new Game({
    id: `game-${listed.key}`,
    source: "arena",
    over: true,
    ruleset,
    map,
    width,
    height,
    ending: listed.ending,
    result: null,
    snakes: replay.snakes.map(({ seat }, snake) => snakeIn(match, seat, replay.looks[snake] ?? [])),
    turns: frames.map((frame) => turnOf(replay, frame, width)),
  });
}

/** A snake with its own looks where it has some, else with its entrant's name and colour. */
function snakeIn(match, seat, [name, color, head, tail]) {
  return { name: name || match.names[seat], color: color || match.colours[seat], head, tail };
}

function turnOf(replay, frame, width) {
  const point = (cell) => [cell % width, Math.floor(cell / width)];
  const lying = replay.food.filter(([, since, until]) => since <= frame && frame < until);
  const hazards = replay.hazards.filter(([since]) => since <= frame).pop()[1];
  return {
    turn: replay.first_turn + frame,
    food: lying.map(([cell]) => point(cell)),
    hazards: hazards.flatMap(([cell, layers]) => Array(layers).fill(point(cell))),
    snakes: replay.snakes.map((track) => snakeOf(track, frame, point)),
    deaths: [...replay.snakes.entries()]
      .filter(([, { death }]) => death?.frame === frame)
      .map(([snake, { death }]) => ({ snake, cause: death.cause, by: death.by })),
    decisions: replay.snakes.map((track) => decisionOf(track, frame, replay.snakes.length)),
  };
}

/** The cells of a snake, head first; folded parts repeat the tail. */
function snakeOf(track, frame, point) {
  if (frame >= track.length.length) {
    return null;
  }
  const restarts = track.restarts.filter((each) => each <= frame);
  const end = restarts.reduce((sum, each) => sum + track.kept[each] - 1, track.kept[0] + frame);
  const cells = track.trail.slice(end - track.kept[frame], end).reverse();
  while (cells.length < track.length[frame]) {
    cells.push(cells[cells.length - 1]);
  }
  return { body: cells.map(point), health: track.health[frame] };
}

function decisionOf(track, frame, snakes) {
  if (frame >= track.moves.length) {
    return null;
  }
  return {
    move: LETTERS[track.moves[frame]],
    fault: track.faults[frame] ?? null,
    depth: track.depth[frame] || null,
    nodes: track.nodes[frame] || null,
    score: track.scores[frame],
    time_ms: track.milliseconds[frame],
    moves: [],
    pv: jointMoves(track.pvs[frame], snakes),
  };
}

/** The joint moves of a principal variation, from a letter for each snake of each turn. */
function jointMoves(letters, snakes) {
  const turns = letters.match(new RegExp(`.{${snakes}}`, "g")) ?? [];
  return turns.map((turn) => [...turn].map((letter) => LETTERS[letter] ?? null));
}
