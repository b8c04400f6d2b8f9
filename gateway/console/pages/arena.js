// The page of the arena: the matches and reports of a folder, or one match, which grows while it is played.

import { inAddress } from "/viewer/address.js";
import { html } from "/viewer/dom.js";
import { Picker } from "/viewer/picker.js";
import { counted } from "/viewer/words.js";
import { bars, figure, lines, plainTable, replaceContent } from "./charts.js";
import { fillTop, request, say, whenOf, wordsOf } from "./console.js";

const LIVE = 2_000;
const STILL = 10_000;
const PAIR_COLOURS = ["var(--alarm)", "var(--side-1)", "var(--muted)", "var(--side-2)", "var(--good)"];
const part = (id) => document.getElementById(id);
const name = inAddress("match");
const path = `/api/arena/matches/${encodeURIComponent(name)}`;
let picker = null;
let shownText = "";

const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

function stateMark(state) {
  return html("span", { class: `match-state ${state}` }, state);
}

function progressText({ blocks, planned_blocks: planned, games }) {
  return `${counted(games, "game")} in ${blocks.toLocaleString("en")} of at most ${counted(planned, "block")}`;
}

function matchRow(match) {
  const address = `arena.html?${new URLSearchParams({ match: match.name })}`;
  if (match.problem) {
    return html("li", {}, html("p", { class: "problem" }, match.problem));
  }
  const words = `${match.name} · ${progressText(match)} · ${whenOf(match.changed_at)}`;
  return html("li", {}, html("a", { href: address }, html("strong", {}, html("bdi", {}, match.title)), stateMark(match.state), html("span", { class: "note" }, words)));
}

function reportRow({ name: file, bytes, changed_at: changed }) {
  const words = `${(bytes / 1e6).toFixed(1)} MB · ${whenOf(changed)}`;
  return html("li", {}, html("a", { href: `/arena/reports/${encodeURIComponent(file)}` }, html("strong", {}, html("bdi", {}, file)), html("span", { class: "note" }, words)));
}

function showFolder({ folder, matches, reports }) {
  part("folder").hidden = false;
  part("facts").textContent = `The folder ${folder}`;
  const fill = (id, items, otherwise) => part(id).replaceChildren(...(items.length ? items : [html("li", {}, otherwise)]));
  fill("matches", matches.map(matchRow), "The folder holds no match. python -m arena match A B -o FILE writes one.");
  fill("reports", reports.map(reportRow), "The folder holds no report. python -m arena report FILE writes one.");
}

function testChart(sprt) {
  const rows = sprt.history;
  const last = rows[rows.length - 1];
  const values = rows.map(([, llr]) => llr);
  const margin = (sprt.upper - sprt.lower) * 0.12;
  return figure({
    title: `LLR of ${sprt.elo1} against ${sprt.elo0} Elo (${sprt.model})`,
    describe: `${signed(sprt.llr)} after ${counted(last[0], "block")}: ${sprt.decision}. The test rejects at ${signed(sprt.lower)} and accepts at ${signed(sprt.upper)}.`,
    draw: (width) =>
      lines(width, {
        lines: [{ colour: "var(--ink)", points: rows }],
        x: [0, last[0]],
        y: [Math.min(sprt.lower - margin, ...values), Math.max(sprt.upper + margin, ...values)],
        label: "blocks",
        format: (value) => signed(value).replace(/\.00$/, ""),
        levels: [{ y: 0 }, { y: sprt.upper, name: "accepted", kind: "bound" }, { y: sprt.lower, name: "rejected", kind: "bound" }],
      }),
    table: { columns: ["blocks", "LLR"], rows: rows.filter((_, index) => (rows.length - 1 - index) % Math.ceil(rows.length / 40) === 0).map(([blocks, llr]) => [blocks.toLocaleString("en"), signed(llr)]) },
  });
}

function pairsChart(pairs) {
  const items = pairs.map((pair, index) => ({ ...pair, colour: PAIR_COLOURS[index] }));
  return figure({
    title: "Results of pairs, from two losses to two wins",
    describe: items.map(({ name: pair, count }) => `${pair} ${count.toLocaleString("en")}`).join(", "),
    draw: (width) => bars(width, items),
    table: { columns: ["pair", "count"], rows: items.map(({ name: pair, count }) => [pair, count.toLocaleString("en")]) },
  });
}

function tablePanel({ heading, columns, rows, note, terms }, index) {
  const id = `table-${index}`;
  const scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": id }, plainTable(columns, rows));
  const meanings = Object.entries(terms).map(([term, meaning]) => html("div", {}, html("dt", {}, term), html("dd", {}, meaning)));
  const parts = [html("h2", { id }, heading), scroll];
  return html(
    "section",
    { class: "panel", "aria-labelledby": id },
    ...parts,
    ...(note ? [html("p", { class: "note" }, note)] : []),
    ...(meanings.length ? [html("dl", { class: "note terms" }, ...meanings)] : []),
  );
}

function showMatch(match) {
  part("match").hidden = false;
  part("title").textContent = match.title;
  document.title = `${match.title} – Battlesnake console`;
  part("facts").replaceChildren(stateMark(match.state), ` ${match.name} · ${progressText(match)} · ${whenOf(match.changed_at)}`);
  part("conclusion").textContent = match.conclusion;
  showChart("test", match.sprt && testChart(match.sprt));
  showChart("pairs", match.pairs && pairsChart(match.pairs));
  part("progress-charts").hidden = !match.sprt && !match.pairs;
  part("tables").replaceChildren(...match.tables.map(tablePanel));
  showReplays(match.picker);
}

function showChart(id, chart) {
  part(`${id}-panel`).hidden = !chart;
  replaceContent(part(id), ...(chart ? [chart] : []));
}

function showReplays(listed) {
  part("no-replays").hidden = listed.games.length > 0;
  if (picker) {
    picker.grow(listed);
  } else if (listed.games.length) {
    picker = new Picker(part("replays"), listed, (key) => request(`${path}/games/${encodeURIComponent(key)}`), document);
    if (picker.follow()) {
      part("replays").scrollIntoView();
    }
  }
}

/** Asks again and again; whether anything is running decides how soon. */
async function follow() {
  let live = false;
  try {
    const answer = await request(name ? path : "/api/arena");
    const text = JSON.stringify(answer);
    live = name ? answer.state === "running" : answer.matches.some(({ state }) => state === "running");
    say("");
    if (text !== shownText) {
      shownText = text;
      (name ? showMatch : showFolder)(answer);
    }
  } catch (error) {
    live = true;
    part("facts").textContent = "";
    shownText = "";
    say(wordsOf(error));
  }
  setTimeout(follow, live ? LIVE : STILL);
}

fillTop("arena.html");
follow();
