// The games that are over on the first page: their list, its filter, and their results.

import { html } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";
import { causeText, counted, deathText } from "/viewer/words.js";
import { plainTable } from "./charts.js";
import { kindOf, linkTo, nameElement, request, resultOf, turnsOf, whenOf } from "./console.js";
import { arrange } from "./lists.js";

const PAGE = 20;
const MOST_AT_ONCE = 200;
const FIELDS = { arm: "arms", cause: "causes", mode: "modes" };
const COLUMNS = { win: "won", draw: "drawn", loss: "lost", none: "other" };
const part = (id) => document.getElementById(id);
const field = (name) => part("filter").elements.namedItem(name);
let known = [];
let silent = [];
let wantedNumber = PAGE;
let asked = 0;
let shownResults = "";

/** The fields of the filter that the reader has filled. */
function wanted() {
  return Object.fromEntries([...new FormData(part("filter"))].filter(([, value]) => value));
}

function causeOf(game) {
  const death = game.deaths?.find(({ snake }) => game.snakes[snake]?.ours);
  return death ? [deathText(death)] : [];
}

function gameRow(game) {
  const { name, kind } = resultOf(game);
  const names = looksOf(game.snakes).flatMap((looks) => [", ", nameElement(looks.name, looks.full)]).slice(1);
  const facts = [...causeOf(game), kindOf(game), turnsOf(game)].join(" · ");
  const link = html("a", { href: linkTo(game) }, html("span", { class: `result ${kind}` }, name));
  link.append(html("span", { class: "names" }, ...names, html("span", { class: "note" }, facts)));
  link.append(html("span", { class: "when" }, whenOf(game.ended_at ?? game.started_at)));
  return html("li", {}, link);
}

/** Shows the newest games that are over, below these games without a move; as many as before. */
export async function showGames(idle) {
  const number = ++asked;
  const filter = wanted();
  const limit = Math.min(wantedNumber, MOST_AT_ONCE);
  const { games } = await request(`/api/games?${new URLSearchParams({ ...filter, state: "over", limit })}`);
  // A later filter may have been answered first.
  if (number === asked) {
    const newest = new Set(games.map(({ id }) => id));
    known = [...games, ...(games.length < limit ? [] : known.filter(({ id }) => !newest.has(id)))].slice(0, wantedNumber);
    silent = Object.keys(filter).length ? [] : idle.filter(({ id }) => !newest.has(id));
    part("more").hidden = known.length < wantedNumber;
    draw();
  }
}

function draw() {
  const isFiltered = Object.keys(wanted()).length > 0;
  const otherwise = isFiltered ? "No game matches." : part("snakes") ? "No game has ended yet. Register a snake by its address below, and start one." : "No game has ended yet.";
  arrange(part("last"), [...silent, ...known].map((game) => ({ key: game.id, data: game, draw: gameRow })), otherwise);
}

async function showMore() {
  const before = known[known.length - 1].id;
  const query = { ...wanted(), state: "over", limit: PAGE, before };
  const { games } = await request(`/api/games?${new URLSearchParams(query)}`);
  wantedNumber += PAGE;
  known.push(...games);
  draw();
  part("more").hidden = games.length < PAGE;
  if (part("more").hidden) {
    // The focus must not vanish with the button.
    [...part("last").children].find(({ dataset }) => dataset.key === (games[0]?.id ?? before)).querySelector("a").focus();
  }
}

/** Shows the results of the games that the filter admits, and offers the values of all games in the filter. */
export async function showResults() {
  const filter = wanted();
  const all = await request("/api/results");
  const found = Object.keys(filter).length ? await request(`/api/results?${new URLSearchParams(filter)}`) : all;
  const text = JSON.stringify([filter, all, found]);
  if (text === shownResults) {
    return;
  }
  shownResults = text;
  Object.entries(FIELDS).forEach(([name, values]) => offer(field(name), all[values], name === "cause" ? causeText : String));
  part("opponent-names").replaceChildren(...all.opponents.map(({ name }) => new Option(name)));
  part("found").textContent = Object.keys(filter).length ? `${counted(found.games, "game")} of ${all.games.toLocaleString("en")}` : "";
  part("results-panel").hidden = !found.arms.length;
  const focused = document.activeElement?.closest("#results a")?.href;
  const causes = found.causes.map(({ name, games }) => [filterLink("cause", name, causeText(name)), games.toLocaleString("en")]);
  part("results").replaceChildren(
    ...resultsTable("Arm", "arm", found.arms),
    ...resultsTable("Opponent", "opponent", found.opponents),
    ...table("Cause of death", causes, ["games"]),
  );
  [...part("results").querySelectorAll("a")].find(({ href }) => href === focused)?.focus();
}

function offer(select, values, wordsFor) {
  const chosen = select.value || (new URLSearchParams(location.search).get(select.name) ?? "");
  const names = new Set(["", ...values.map(({ name }) => name), chosen]);
  select.replaceChildren(...[...names].map((name) => new Option(name ? wordsFor(name) : "any", name, false, name === chosen)));
}

function resultsTable(heading, name, counts) {
  const kinds = Object.keys(COLUMNS).filter((kind) => counts.some((each) => each[kind]));
  const rows = counts.map((each) => [filterLink(name, each.name), ...kinds.map((kind) => each[kind].toLocaleString("en"))]);
  return table(heading, rows, kinds.map((kind) => COLUMNS[kind]));
}

/** A table in a list; without rows an empty list. */
function table(heading, rows, columns) {
  return rows.length ? [html("div", { class: "results", role: "group", "aria-label": heading, tabindex: 0 }, plainTable([heading, ...columns], rows))] : [];
}

function filterLink(name, value, words = value || "unnamed") {
  const link = html("a", { href: `/index.html?${new URLSearchParams({ [name]: value })}` }, nameElement(words));
  link.addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && value) {
      event.preventDefault();
      field(name).value = value;
      field(name).dispatchEvent(new Event("change", { bubbles: true }));
      // The link may be drawn again.
      field(name).focus();
    }
  });
  return link;
}

/** Fills the filter from the address, and calls a function after each change of the filter. */
export function followFilter(changed) {
  const form = part("filter");
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = field(name);
    if (control?.tagName === "SELECT" && ![...control.options].some((option) => option.value === value)) {
      control.append(new Option(value, value));
    }
    if (control) {
      control.value = value;
    }
  }
  let timer = null;
  const apply = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const query = String(new URLSearchParams(wanted()));
      history.replaceState(history.state, "", query ? `?${query}` : location.pathname);
      wantedNumber = PAGE;
      known = [];
      changed();
    }, 200);
  };
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("reset", apply);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
}

/** The words for a screen reader after a change of the filter. */
export function foundText() {
  return part("found").textContent || "All games";
}

/** Makes the button for older games work; `failed` receives an error. */
export function offerMore(failed) {
  part("more").addEventListener("click", () => showMore().catch(failed));
}
