// The page of experiments: which arm is better, how sure that is, and what the arms do.

import { inAddress } from "/viewer/address.js";
import { holdLoad, html } from "/viewer/dom.js";
import { MISSING, counted } from "/viewer/words.js";
import { bandedLine, figure, intervals, plainTable, replaceContent, sideColour } from "./charts.js";
import { fillTop, request, say, swatch, whenOf, wordsOf } from "./console.js";

const REFRESH = 60_000;
const part = (id) => document.getElementById(id);
const percent = (share, digits = 0) => `${(share * 100).toFixed(digits)} %`;
const points = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value * 100).toFixed(0)}`;
const colourOf = (experiment, arm) => sideColour(experiment.arms.findIndex(({ name }) => name === arm));
const EXCLUSIONS = {
  not_seen: "Not seen: the gateways missed the first turn of these games, or more than half of the moves. They don't count.",
  unfinished: "Unfinished: no end of these games has arrived. They don't count.",
  not_searched: "Not searched: more than half of the moves of these games were reflexes, so the result says nothing about the arm. They don't count.",
};
const SOURCES = {
  failed_calls: "Failed calls: moves for which a call of a searcher failed. The gateway's log has the errors.",
  stand_in: "Stand-in: the default strategy searched while the searcher compiled the arm's strategy. These games are not drawn.",
  late: "Late: the answer came too late, so the engine moved the snake straight on, perhaps to death.",
};
let shownText = "";

function strategyText({ strategies }) {
  return strategies.map((strategy) => strategy || "the searcher's default").join(", ") || MISSING;
}

/** The decision in words, and the difference over time. */
function comparison(experiment, compared) {
  const [challenger] = compared.arms;
  const decided = html("p", { class: "decided" }, swatch(colourOf(experiment, challenger)), compared.summary);
  const needed = compared.still_needed || `Nothing more is needed: this was decided ${afterText(compared.first_decided)}.`;
  const parts = [decided, html("p", { class: "needed" }, needed)];
  const counts = countsText(experiment, compared);
  if (counts) {
    parts.push(html("p", { class: "note", "data-part": "counts" }, counts));
  }
  if (compared.history.length > 1) {
    parts.push(differenceChart(experiment, compared));
  }
  return html("div", { class: "comparison" }, ...parts);
}

/** Which games are compared; empty if they are all that the arms have. */
function countsText({ arms }, { arms: names, games, waiting }) {
  const known = names.map((name) => arms.find((arm) => arm.name === name)).reduce((sum, arm) => sum + arm.games - arm.unknown, 0);
  const words = names.map((name, index) => `${games[index].toLocaleString("en")} of ${name}`).join(" and ");
  const compared =
    games[0] + games[1] + waiting < known
      ? `Compared are ${counted(games[0] + games[1], "game")}, ${words}: those since the last change of an arm, and a game with several of its snakes once.`
      : "";
  const held = waiting ? `A game that began earlier is still going on: ${counted(waiting, "ended game")} not compared yet.` : "";
  return [compared, held].filter(Boolean).join(" ");
}

function afterText({ games, at }) {
  return `after ${counted(games[0] + games[1], "game")} (${whenOf(at)})`;
}

const excludesZero = ({ low, high }) => low > 0 || high < 0;

function intervalText({ first_decided: first, still_needed: undecided, difference, least_games: least }) {
  const rule = `A decision needs ${least} games of each arm.`;
  if (!first) {
    return excludesZero(difference) ? `The interval excludes 0. ${rule}` : `The interval contains 0, so nothing is decided. ${rule}`;
  }
  const since = `${rule} With so many, the interval first excluded 0 ${afterText(first)}`;
  return undecided ? `${since}, but contains it again.` : `${since}.`;
}

/** The moment of the decision and, if the interval excluded 0 too early to decide, the first moment with enough games. */
function momentsOf(rows, { first_decided: first, still_needed: undecided, least_games: least }) {
  const enough = rows.find(({ games }) => Math.min(...games) >= least);
  const decidedAt = first ? first.games[0] + first.games[1] : null;
  const early = rows.some((row) => Math.min(...row.games) < least && excludesZero(row));
  const rule = `${least} games of each arm`;
  const decided = undecided ? "was decided" : "decided";
  if (decidedAt && early && enough && decidedAt <= enough.count) {
    return [{ x: decidedAt, name: `${rule}: ${decided}` }];
  }
  return [...(early && enough ? [{ x: enough.count, name: rule, low: true }] : []), ...(decidedAt ? [{ x: decidedAt, name: decided }] : [])];
}

function differenceChart(experiment, compared) {
  const [challenger, control] = compared.arms;
  const moments = compared.history.map(({ at, games, difference }) => ({ at, games, count: games[0] + games[1], ...difference }));
  // Each snake of a game is a moment of its own; the last one has them all.
  const rows = moments.filter(({ count }, index) => count !== moments[index + 1]?.count);
  const colour = colourOf(experiment, challenger);
  const last = rows[rows.length - 1];
  // The first games say hardly anything, and would flatten all others.
  const settled = rows.slice(Math.floor(rows.length / 4));
  const [low, high] = [Math.min(-0.05, ...settled.map((row) => row.low)), Math.max(0.05, ...settled.map((row) => row.high))];
  const describe =
    `After ${counted(last.count, "game")} the difference is ${points(last.value)}, and its interval is ${points(last.low)} to ${points(last.high)}. ` +
    intervalText(compared);
  return figure({
    title: `${challenger} less ${control}, in wins of 100 games`,
    describe,
    keys: [
      { name: "difference", colour },
      { name: `always-valid interval: you may stop when 0 is outside, from ${compared.least_games} games of each arm on`, colour, kind: "area" },
    ],
    draw: (width) =>
      bandedLine(width, { rows, colour, across: [0, last.count], up: [low, high], label: "games of both arms", format: points, moments: momentsOf(rows, compared) }),
    table: {
      columns: ["games", "time", "difference", "from", "to"],
      rows: thinned(rows, 40).map((row) => [row.count.toLocaleString("en"), whenOf(row.at), points(row.value), points(row.low), points(row.high)]),
    },
  });
}

/** At most this many rows, evenly spaced, with the last one. */
function thinned(rows, most) {
  const step = Math.ceil(rows.length / most);
  return rows.filter((_, index) => (rows.length - 1 - index) % step === 0);
}

function shareChart(experiment) {
  const rows = experiment.arms.map(({ name, win_share: share, wins, games, unknown }) => ({
    name,
    colour: colourOf(experiment, name),
    ...(share ?? { value: null }),
    words: share ? `${percent(share.value)} of ${games - unknown}` : "no result yet",
    cells: share ? [wins.toLocaleString("en"), percent(share.value, 1), percent(share.low, 1), percent(share.high, 1)] : ["0", MISSING, MISSING, MISSING],
  }));
  const known = rows.filter(({ value }) => value !== null);
  return figure({
    title: "Share of games won",
    describe: known.length ? `With 95 % intervals of each arm alone, for one look at its games (the decision has its own interval, for any number of looks): ${known.map(({ name, value, low, high }) => `${name} ${percent(value)} (${percent(low)} to ${percent(high)})`).join(", ")}.` : "No game has a result yet.",
    draw: (width) => intervals(width, { rows, domain: [0, 1], format: percent, level: 0.5 }),
    table: { columns: ["arm", "wins", "share", "from", "to"], rows: rows.map(({ name, cells }) => [name, ...cells]) },
  });
}

/** The means of a quantity by arm, with the range of four games in five. */
function spreadChart(experiment, field, title, unit, note) {
  const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 1 });
  const rows = experiment.arms.map((arm) => ({
    name: arm.name,
    colour: colourOf(experiment, arm.name),
    ...(arm[field] ? { value: arm[field].mean, low: arm[field].low, high: arm[field].high } : { value: null }),
    words: [arm[field] ? `${number(arm[field].mean)} ${unit}` : "unknown", note(arm)].filter(Boolean).join(", "),
  }));
  const known = rows.filter(({ value }) => value !== null);
  if (!known.length) {
    return html("p", { class: "note" }, "Not recorded for these games.");
  }
  const [low, high] = [Math.min(...known.map((row) => row.low)), Math.max(...known.map((row) => row.high))];
  const margin = (high - low) * 0.2 || 1;
  return figure({
    title,
    describe: `Dot: mean of all moves. Bar: four games in five. ${known.map(({ name, words }) => `${name}: ${words}`).join("; ")}.`,
    draw: (width) => intervals(width, { rows, domain: [Math.max(0, low - margin), high + margin], format: number }),
    table: {
      columns: ["arm", "mean", "low", "high"],
      rows: rows.map((row) => [row.name, ...[row.value, row.low, row.high].map((each) => (each === null || each === undefined ? MISSING : number(each)))]),
    },
  });
}

function shadowChart(experiment, arm) {
  const rows = arm.shadows.map((shadow, index) => ({
    name: shadow.name,
    colour: sideColour(experiment.arms.length + index),
    low: shadow.agreement,
    value: shadow.agreement,
    high: shadow.agreement,
    words: `${percent(shadow.agreement)} of ${counted(shadow.positions, "move")}`,
    shadow,
  }));
  const pair = (mine, its, digits) => (mine === null || its === null ? MISSING : `${mine.toFixed(digits)} (${its.toFixed(digits)})`);
  return figure({
    title: `Moves on which shadows agree with ${arm.name}`,
    describe: rows.map(({ name, words }) => `${name}: ${words}`).join("; "),
    draw: (width) => intervals(width, { rows, domain: [0, 1], format: percent }),
    table: {
      columns: ["shadow", "games", "moves", "agrees", "depth (arm's)", "score (arm's)"],
      rows: rows.map(({ name, shadow }) => [
        name,
        shadow.games.toLocaleString("en"),
        shadow.positions.toLocaleString("en"),
        percent(shadow.agreement, 1),
        pair(shadow.mean_depth, shadow.played_mean_depth, 1),
        pair(shadow.mean_score, shadow.played_mean_score, 3),
      ]),
    },
  });
}

/** The results of the arms, and the games that do not count, by those reasons that some arm has. */
function armsTable(experiment) {
  const reasons = ["unknown", "not_drawn", "not_seen", "unfinished", "not_searched"].filter((reason) => experiment.arms.some((arm) => arm[reason]));
  const columns = ["arm", "plays", "games", "won / drawn / lost", "score", ...reasons.map((reason) => reason.replace("_", " "))];
  const rows = experiment.arms.map((arm) => {
    const name = arm.name === experiment.control ? `${arm.name} (control)` : arm.name;
    const cells = [strategyText(arm), arm.games, `${arm.wins} / ${arm.draws} / ${arm.losses}`, arm.score === null ? MISSING : arm.score.toFixed(3), ...reasons.map((reason) => arm[reason])];
    return [[swatch(colourOf(experiment, arm.name)), " ", name], ...cells.map((cell) => cell.toLocaleString("en"))];
  });
  return plainTable(columns, rows);
}

/** The moves of the arms by their source, and the late answers. */
function movesTable({ arms }) {
  const columns = ["arm", "moves", "full search", "best so far", "reflex", "stand-in", "failed calls", "late", "deaths by late answers"];
  const number = (count) => count.toLocaleString("en");
  const rows = arms.map(({ name, moves, late, late_deaths: deaths, sources }) => {
    const part = (count) => (sources.moves ? percent(count / sources.moves, 1) : MISSING);
    const shares = [sources.full_search, sources.best_so_far, sources.reflex, sources.stand_in].map(part);
    return [name, number(moves), ...shares, sources.moves ? `${number(sources.failed_calls)} (${part(sources.failed_calls)})` : MISSING, moves ? `${number(late)} (${percent(late / moves, 1)})` : MISSING, number(deaths)];
  });
  return plainTable(columns, rows);
}

/** The texts, by their field, of which an arm has something. */
function notes(arms, texts) {
  return Object.entries(texts).filter(([field]) => arms.some((arm) => arm[field])).map(([, words]) => html("p", {}, words));
}

function show(experiment) {
  part("title").textContent = experiment.name;
  document.title = `${experiment.name} – Battlesnake console`;
  const warning = [experiment.sample_ratio?.warning, ...experiment.arms.map((arm) => arm.warning)].filter(Boolean).join(" ");
  part("warning").textContent = warning;
  part("warning").hidden = !warning;
  const compared = experiment.comparisons.map((each) => comparison(experiment, each));
  replaceContent(part("comparisons"), ...(compared.length ? compared : [html("p", {}, aloneText(experiment))]));
  part("arms").replaceChildren(armsTable(experiment), ...notes(experiment.arms, EXCLUSIONS));
  const sources = experiment.arms.map(({ sources, late }) => ({ ...sources, late }));
  part("moves").replaceChildren(movesTable(experiment), ...notes(sources, SOURCES));
  replaceContent(part("shares"), shareChart(experiment));
  replaceContent(part("depth"), spreadChart(experiment, "depth", "Turns searched", "turns", () => ""));
  replaceContent(part("latency"), spreadChart(experiment, "latency_ms", "Time of an answer, as the engine measured it", "ms", ({ late }) => (late ? `${late.toLocaleString("en")} late` : "")));
  const shadowed = experiment.arms.filter((arm) => arm.shadows.length);
  part("shadows-panel").hidden = !shadowed.length;
  replaceContent(part("shadows"), ...shadowed.map((arm) => shadowChart(experiment, arm)));
}

function aloneText({ arms }) {
  return arms.length < 2 ? "There is only one arm, so there is nothing to compare." : "No two arms have been drawn yet, so there is nothing to compare.";
}

function choose(experiments) {
  const wanted = inAddress("experiment");
  const newest = (experiment) => Math.max(0, ...experiment.arms.map(({ until }) => Date.parse(until) || 0));
  const ordered = experiments.toSorted((one, other) => newest(other) - newest(one));
  const chosen = experiments.find(({ name }) => name === wanted) ?? ordered.find(({ arms }) => arms.length > 1) ?? ordered[0];
  part("chooser").hidden = experiments.length < 2;
  part("names").replaceChildren(...experiments.map(({ name }) => new Option(name, name, false, name === chosen.name)));
  show(chosen);
}

async function refresh() {
  const { experiments } = await request("/api/experiments");
  say("");
  part("reading").hidden = true;
  part("none").hidden = experiments.length > 0;
  part("experiment").hidden = !experiments.length;
  const text = JSON.stringify(experiments);
  if (experiments.length && text !== shownText) {
    shownText = text;
    choose(experiments);
  }
}

async function start() {
  fillTop("experiments.html");
  part("names").addEventListener("change", ({ target }) => {
    location.search = new URLSearchParams({ experiment: target.value });
  });
  setInterval(() => document.hidden || refresh().catch((error) => say(wordsOf(error))), REFRESH);
  await refresh();
}

holdLoad(start().catch((error) => {
  part("reading").hidden = true;
  say(wordsOf(error));
}));
