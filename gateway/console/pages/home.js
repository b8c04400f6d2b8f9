// The first page: health, games now and before, snakes, searchers and experiments.

import { Board } from "/viewer/board.js";
import { html, styled, svg, wordButton } from "/viewer/dom.js";
import { Game } from "/viewer/game.js";
import { looksOf } from "/viewer/looks.js";
import { counted } from "/viewer/words.js";
import { fillTop, followEvents, kindOf, linkTo, namesOf, post, request, resultOf, say, turnsOf, whenOf } from "./console.js";

const REFRESH = 10_000;
const PAGE = 20;
const boards = new Map();
const part = (id) => document.getElementById(id);

function fill(id, items, otherwise) {
  part(id).replaceChildren(...(items.length ? items : [html("li", { class: "wide" }, otherwise)]));
}

/** A line of the page: parts next to one another. */
function line(...parts) {
  return html("div", { class: "line" }, ...parts.filter(Boolean));
}

function state(good, words) {
  return html("li", { class: good ? "good" : "bad" }, html("span", { class: "dot", "aria-hidden": "true" }), words);
}

function showHealth({ readiness, searchers, counts }) {
  const serving = searchers.filter((each) => each.serving).length;
  const problems = [readiness?.status === "ready" ? "" : readiness?.reason, ...(readiness?.warnings ?? [])];
  const lost = counts?.lost_records ?? 0;
  const words = serving === searchers.length && serving ? `${counted(serving, "searcher")} serving` : `${serving} of ${counted(searchers.length, "searcher")} serving`;
  part("health").replaceChildren(
    state(serving > 0 && serving === searchers.length, words),
    ...problems.filter(Boolean).map((problem) => state(false, problem)),
    ...(readiness?.compiling ?? []).map((sentence) => state(true, sentence)),
    ...(counts?.games_now === undefined ? [] : [state(true, `${counted(counts.games_now, "game")} now`)]),
    ...(counts?.probes ? [state(true, `${counted(counts.probes, "check")} of the snakes, not counted as games`)] : []),
    ...(counts?.games_kept === undefined ? [] : [state(true, `${counted(counts.games_kept, "game")} kept`)]),
    ...(lost ? [state(false, `${counted(lost, "record")} lost`)] : []),
  );
}

function snakeRow(snake) {
  const address = snake.url || snake.path;
  const copy = wordButton("copy", "Copy", async () => {
    const copied = await navigator.clipboard.writeText(address).then(() => true, () => false);
    copy.textContent = copied ? "Copied" : "Select it";
  });
  copy.setAttribute("aria-label", `Copy the address ${address}`);
  const swatch = html("span", { class: "swatch" });
  const looks = [snake.color, snake.head && `head ${snake.head}`, snake.tail && `tail ${snake.tail}`].filter(Boolean);
  const item = html("li", {}, line(swatch, html("strong", {}, snake.name || snake.path), html("span", { class: "note" }, looks.join(" · "))));
  item.append(line(html("code", {}, address), copy), line(html("span", { class: "note" }, `plays ${snake.strategy || "the searcher's default"}`)));
  return styled(item, "--colour", snake.color || "#888888");
}

function searcherRow({ address, serving, trouble, version }) {
  const dot = html("span", { class: "dot", "aria-hidden": "true" });
  return html("li", { class: serving ? "good" : "bad" }, line(html("strong", {}, dot, address), html("span", { class: "note" }, serving ? ["serving", version].filter(Boolean).join(" ") : trouble || "not serving")));
}

function experimentRow({ name, arms }) {
  const items = arms.map((arm) => {
    const share = arm.share === undefined || arm.share === null ? "" : ` · ${Math.round(arm.share * 100)} % of games`;
    return html("li", {}, html("strong", {}, arm.name), ` ${arm.strategy || "the searcher's default"}${share}`);
  });
  return html("li", {}, html("strong", {}, name), html("ul", { class: "arms" }, ...items));
}

/** Offers to read games of servers, unless the gateway reads none. */
function showServers(servers) {
  part("import-panel").hidden = !servers?.length;
  part("import-note").textContent = `From ${servers?.join(", ")}.`;
}

async function importGame(event) {
  event.preventDefault();
  part("import-button").disabled = true;
  part("import-said").textContent = "Reading …";
  try {
    const { game } = await (await post("/api/games/import", { address: part("import-address").value })).json();
    location.assign(linkTo({ id: game }));
  } catch (error) {
    part("import-said").textContent = error.message;
  }
  part("import-button").disabled = false;
}

async function showOverview() {
  const overview = await request("/api/overview");
  showHealth(overview);
  fill("snakes", overview.snakes.map(snakeRow), "No snake is served.");
  fill("searchers", overview.searchers.map(searcherRow), "There is no searcher.");
  showServers(overview.replay_servers);
  const experiments = overview.experiments ?? [];
  part("experiments-panel").hidden = !experiments.length;
  fill("experiments", experiments.map(experimentRow), "");
}

/** A small board of a game that is being played. */
function liveBoard(listed) {
  const picture = svg("svg", { class: "board", "aria-hidden": "true" });
  const count = html("p", { class: "count" });
  const looks = looksOf(listed.snakes);
  const names = looks.map(({ name, colour }) => styled(html("span", {}, html("span", { class: "swatch" }), name), "--colour", colour));
  const link = html("a", { href: linkTo(listed) }, picture, count, html("p", { class: "names" }, ...names.flatMap((name) => [name, " "])));
  const game = new Game({ ...listed, turns: [] });
  return { game, count, element: html("li", {}, link), board: new Board(picture, game, looks) };
}

function drawLive({ game, count, board }) {
  board.draw(game.last);
  count.textContent = `Turn ${game.last}`;
}

async function showLive(games) {
  const ids = new Set(games.map((game) => game.id));
  [...boards.keys()].filter((id) => !ids.has(id)).forEach((id) => boards.delete(id));
  for (const listed of games.filter((game) => !boards.has(game.id))) {
    const live = liveBoard(listed);
    boards.set(listed.id, live);
    request(`/api/games/${encodeURIComponent(listed.id)}`).then(({ turns }) => {
      turns.slice(-1).forEach((turn) => live.game.addTurn(turn));
      drawLive(live);
    }, (error) => say(error.message));
  }
  fill("now", [...boards.values()].map(({ element }) => element), "No game is being played.");
}

function gameRow(game) {
  const { name, kind } = resultOf(game);
  const names = html("span", { class: "names" }, namesOf(game), html("span", { class: "note" }, ` · ${kindOf(game)} · ${turnsOf(game)}`));
  const link = html("a", { href: linkTo(game) }, html("span", { class: `result ${kind}` }, name), names);
  link.append(html("span", { class: "when" }, whenOf(game.ended_at ?? game.started_at)));
  return html("li", {}, link);
}

async function showGames() {
  const { games } = await request(`/api/games?limit=${PAGE}`);
  await showLive(games.filter((game) => !game.over));
  fill("last", games.filter((game) => game.over).map(gameRow), "No game has ended yet. Register a snake by its address below, and start one.");
  offerMore(games);
}

function offerMore(games) {
  part("more").hidden = games.length < PAGE;
  part("more").dataset.before = games[games.length - 1]?.id ?? "";
}

async function showMore() {
  const { games } = await request(`/api/games?${new URLSearchParams({ limit: PAGE, before: part("more").dataset.before })}`);
  part("last").append(...games.filter((game) => game.over).map(gameRow));
  offerMore(games);
}

function follow() {
  const again = () => showGames().catch((error) => say(error.message));
  followEvents("/api/events", {
    start: again,
    end: again,
    open: () => {
      say("");
      again();
    },
    error: () => say("The connection to the gateway is lost. Trying again …"),
    turn: (event) => {
      const { game, ...turn } = JSON.parse(event.data);
      const live = boards.get(game);
      if (live) {
        live.game.addTurn(turn);
        drawLive(live);
      }
    },
  });
}

async function start() {
  fillTop("index.html");
  part("more").addEventListener("click", () => showMore().catch((error) => say(error.message)));
  part("import").addEventListener("submit", importGame);
  setInterval(() => showOverview().catch((error) => say(error.message)), REFRESH);
  await Promise.all([showOverview(), showGames()]);
  follow();
}

start().catch((error) => say(error.message));
