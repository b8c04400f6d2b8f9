// The first page: health, moves, games now and before, snakes, searchers and experiments.

import { copyText, holdLoad, html, styled, wordButton } from "/viewer/dom.js";
import { MISSING, counted, millisecondsText } from "/viewer/words.js";
import { ageText, fillTop, linkTo, nameElement, post, request, say, wordsOf } from "./console.js";
import { followFilter, foundText, offerMore, showResults } from "./home-games.js";
import { follow, showAllGames } from "./home-live.js";
import { arrange } from "./lists.js";

const REFRESH = 10_000;
const REFRESH_GONE = 2_000;
const PATIENCE = 5_000;
const TITLE = document.title;
const part = (id) => document.getElementById(id);
let goneSince = null;
let toldBad = "";

/** The words for the codes with which a searcher's health fails. */
const TROUBLES = {
  UNAVAILABLE: "does not answer",
  DEADLINE_EXCEEDED: "does not answer in time",
  UNAUTHENTICATED: "refuses the gateway's token",
  PERMISSION_DENIED: "refuses the gateway's token",
  NOT_SERVING: "does not serve yet: it starts, compiles or ends",
  SERVICE_UNKNOWN: "is no searcher of this project",
  UNIMPLEMENTED: "is no searcher of this project",
};

function fill(id, items, otherwise) {
  arrange(part(id), items, otherwise);
}

/** Items of a list whose keys are the texts of a function. */
function itemsOf(values, keyOf, draw) {
  return values.map((data) => ({ key: keyOf(data), data, draw }));
}

/** A line of the page: parts next to one another. */
function line(...parts) {
  return html("div", { class: "line" }, ...parts.filter(Boolean));
}

function state(good, words, title = "") {
  const attributes = title ? { title } : {};
  return { key: words, data: [good, words, title], draw: () => html("li", { class: good ? "good" : "bad", ...attributes }, html("span", { class: "dot", "aria-hidden": "true" }), words) };
}

/** A reason of the API in words: codes of gRPC become sentences. */
function plain(reason) {
  const known = /searcher at (\S+): ([A-Z_]+)(: .*?)?(?=; searcher at |$)/g;
  return reason.replace(known, (all, address, code) => (TROUBLES[code] ? `The searcher at ${address} ${TROUBLES[code]}` : all));
}

/** How long the gateways have been up. Without one, the reason of the readiness is enough. */
function gatewaysOf(number, started) {
  if (!started || !number) {
    return [];
  }
  const age = ageText((Date.now() - Date.parse(started)) / 1000);
  return [state(true, number > 1 ? `${number} gateways, the first one up for ${age}` : `Gateway up for ${age}`)];
}

/** How many searchers serve. Without a gateway, there may be none. */
function searchersOf(gateways, searchers) {
  const serving = searchers.filter((each) => each.serving).length;
  const all = serving === searchers.length && serving;
  const words = all ? `${counted(serving, "searcher")} serving` : `${serving} of ${counted(searchers.length, "searcher")} serving`;
  return gateways || searchers.length ? [state(Boolean(all), words)] : [];
}

function healthOf({ readiness, gateways = 1, searchers, counts, database, started_at: started }) {
  const problems = [readiness?.status === "ready" ? "" : readiness?.reason, ...(readiness?.warnings ?? [])];
  const lost = counts?.lost_records ?? 0;
  return [
    ...gatewaysOf(gateways, started),
    ...searchersOf(gateways, searchers),
    ...problems.filter(Boolean).map((problem) => state(false, plain(problem), problem)),
    ...(readiness?.compiling ?? []).map((sentence) => state(true, sentence)),
    ...databaseOf(database),
    ...(counts?.games_now === undefined ? [] : [state(true, `${counted(counts.games_now, "game")} now`)]),
    ...(counts?.probes ? [state(true, `${counted(counts.probes, "check")} of the snakes, not counted as games`)] : []),
    ...(counts?.games_kept === undefined ? [] : [state(true, `${counted(counts.games_kept, "game")} kept`)]),
    ...(lost ? [state(false, `${counted(lost, "record")} lost`)] : []),
  ];
}

function databaseOf(database) {
  if (!database) {
    return database === null ? [state(true, "No database: games end with the console")] : [];
  }
  if (!database.lost) {
    return [state(true, `Database ${database.state}`)];
  }
  // The rest is the error of the driver.
  const since = database.state.replace(/ UTC: .*/, " UTC");
  return [state(false, `Database ${since}, ${counted(database.waiting, "record")} waiting`, database.state)];
}

/** Shows the states, and says the bad ones to a screen reader when they change. */
function showHealth(states) {
  fill("health", states);
  const bad = states.filter(({ data: [good] }) => !good).map(({ key }) => key).join(". ");
  if (bad !== toldBad) {
    toldBad = bad;
    tell(bad);
  }
}

function tell(words) {
  part("said").textContent = words;
}

function showMoves(moves) {
  part("moves").closest("section").hidden = !moves;
  if (!moves) {
    return;
  }
  const age = (Date.now() - Date.parse(moves.since)) / 1000;
  part("moves-heading").textContent = `Moves of the last ${age < 3500 ? ageText(Math.max(age, 0)) : "hour"}`;
  const number = (count) => count.toLocaleString("en");
  const rows = [
    ["answered", number(moves.answered)],
    ["late", number(moves.late), moves.late > 0],
    ["best so far", number(moves.best_so_far)],
    ["reflexes", number(moves.reflexes)],
    ["median", moves.median_ms === null ? MISSING : millisecondsText(moves.median_ms, 0)],
    ["99 of 100 within", moves.p99_ms === null ? MISSING : millisecondsText(moves.p99_ms, 0)],
    ...(moves.searcher_restarts === null ? [] : [["searcher restarts", number(moves.searcher_restarts), moves.searcher_restarts > 0]]),
    // A gateway may have no console of its own.
    ...(moves.console_restarts ? [["console restarts", number(moves.console_restarts), true]] : []),
  ];
  part("moves").replaceChildren(...rows.map(([name, value, bad]) => html("div", { class: bad ? "bad" : "" }, html("dt", {}, name), html("dd", {}, value))));
}

/** Shows that the console does not answer: the rest of the page is old from now on. */
function showGone() {
  if (!goneSince) {
    goneSince = new Date();
    document.body.classList.add("gone");
    document.title = `Console gone – ${TITLE}`;
    const time = goneSince.toLocaleTimeString(undefined, { timeStyle: "medium" });
    say(`The console has not answered since ${time}. The rest of this page is older. The page tries again every two seconds.`);
    fill("health", []);
  }
}

function showBack() {
  goneSince = null;
  document.body.classList.remove("gone");
  document.title = TITLE;
  say("");
}

function failed(error) {
  if (error.isGone) {
    showGone();
  } else {
    say(wordsOf(error));
  }
}

function snakeRow(snake) {
  const address = snake.url || snake.path;
  const copy = wordButton("copy", "Copy", async () => {
    const copied = await copyText(address);
    copy.textContent = copied ? "Copied" : "Select it";
    tell(copied ? "The address is copied." : "The browser copies nothing here. Select the address.");
  });
  copy.setAttribute("aria-label", `Copy the address ${address}`);
  const swatch = html("span", { class: "swatch" });
  const looks = [snake.color, snake.head && `head ${snake.head}`, snake.tail && `tail ${snake.tail}`].filter(Boolean);
  const item = html("li", {}, line(swatch, html("strong", {}, nameElement(snake.name || snake.path)), html("span", { class: "note" }, looks.join(" · "))));
  item.append(line(html("code", {}, address), copy), line(html("span", { class: "note" }, `plays ${snake.strategy || "the searcher's default"}`)));
  return styled(item, "--colour", snake.color || "#888888");
}

/** Gateways may serve other snakes at the same path. */
function keyOfSnake({ url, path, name, color, head, tail, strategy }) {
  return JSON.stringify([url, path, name, color, head, tail, strategy]);
}

function searcherRow({ address, serving, trouble, version }) {
  const dot = html("span", { class: "dot", "aria-hidden": "true" });
  return html("li", { class: serving ? "good" : "bad" }, line(html("strong", {}, dot, address), html("span", { class: "note" }, serving ? ["serving", version].filter(Boolean).join(" ") : plain(trouble || "not serving"))));
}

function experimentRow({ name, arms }) {
  const items = arms.map((arm) => {
    const share = arm.share === undefined || arm.share === null ? "" : ` · ${Math.round(arm.share * 100)} % of games`;
    return html("li", {}, html("strong", {}, nameElement(arm.name)), ` ${arm.strategy || "the searcher's default"}${share}`);
  });
  return html("li", {}, html("strong", {}, nameElement(name)), html("ul", { class: "arms" }, ...items));
}

/** Offers to read games of servers, unless the console reads none. */
function showServers(servers) {
  part("import-panel").hidden = !servers?.length;
  part("import-note").textContent = `From ${servers?.join(", ")}.`;
}

async function importGame(event) {
  event.preventDefault();
  // A button that is disabled loses the focus.
  if (part("import-button").getAttribute("aria-disabled") === "true") {
    return;
  }
  part("import-button").setAttribute("aria-disabled", "true");
  part("import-said").textContent = "Reading …";
  try {
    const { game } = await (await post("/api/games/import", { address: part("import-address").value })).json();
    location.assign(linkTo({ id: game }));
  } catch (error) {
    part("import-said").textContent = wordsOf(error);
  }
  part("import-button").removeAttribute("aria-disabled");
}

async function showOverview() {
  const overview = await request("/api/overview", PATIENCE);
  showBack();
  showHealth(healthOf(overview));
  showMoves(overview.moves);
  fill("snakes", itemsOf(overview.snakes, keyOfSnake, snakeRow), "No snake is served.");
  fill("searchers", itemsOf(overview.searchers, ({ address }) => address, searcherRow), "There is no searcher.");
  showServers(overview.replay_servers);
  const experiments = overview.experiments ?? [];
  part("experiments-panel").hidden = !experiments.length;
  fill("experiments", itemsOf(experiments, ({ name }) => name, experimentRow));
}

let timer = null;

/** Reads everything again, now and at intervals. */
async function refresh() {
  clearTimeout(timer);
  timer = setTimeout(refresh, REFRESH + PATIENCE);
  try {
    await showOverview();
    await showAllGames(failed);
    await showResults();
  } catch (error) {
    failed(error);
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, goneSince ? REFRESH_GONE : REFRESH);
}

async function start() {
  fillTop("index.html");
  offerMore(failed);
  followFilter(() => Promise.all([showAllGames(failed), showResults()]).then(() => tell(foundText())).catch(failed));
  part("import").addEventListener("submit", importGame);
  await refresh();
  follow(refresh, failed);
}

holdLoad(start().catch(failed));
