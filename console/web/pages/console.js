// What all pages of the console share: the bar at the top, requests, words about games.

import { html, styled, tell } from "/viewer/dom.js";
import { looksOf } from "/viewer/looks.js";
import { themeButton } from "/viewer/theme.js";
import { counted } from "/viewer/words.js";

const PAGES = { "index.html": "Home", "game.html": "Analysis", "experiments.html": "Experiments" };

/** Fills the bar at the top of a page with links to pages. */
export function fillTop(current, pages = PAGES) {
  const links = Object.entries(pages).map(([page, words]) => {
    return html("a", { href: `/${page}`, ...(page === current ? { "aria-current": "page" } : {}) }, words);
  });
  const brand = html("a", { class: "brand", href: "/index.html" }, "Battlesnake console");
  const nav = html("nav", { "aria-label": "Pages" }, ...links);
  document.querySelector(".top").append(brand, nav, themeButton());
}

/** An error with words for people. `isGone` tells that the console has not answered at all. */
export class Problem extends Error {
  constructor(words, isGone = false) {
    super(words);
    this.isGone = isGone;
  }
}

/** The words of an error for people. A fault of the page itself is told in full in the browser's console alone. */
export function wordsOf(error) {
  if (error instanceof Problem) {
    return error.message;
  }
  console.error(error);
  return "This page has a fault. Reload it to go on.";
}

/** The answer of the API as JSON, within a number of milliseconds if one is given. Throws a Problem. */
export async function request(path, patience) {
  const answer = await answerTo(path, patience ? { signal: AbortSignal.timeout(patience) } : {});
  return answer.json().catch(() => {
    throw new Problem("The console's answer ended too early.", true);
  });
}

/** The answer to posted JSON, a Response. Throws a Problem, or an AbortError. */
export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return answerTo(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** The answer to a request, a Response. Throws a Problem, or an AbortError. */
export async function answerTo(path, options) {
  const answer = await fetch(path, options).catch((error) => {
    throw error.name === "AbortError" ? error : new Problem("The console does not answer.", true);
  });
  if (!answer.ok) {
    const { error, field } = await answer.json().catch(() => ({}));
    const words = field ? `${field}: ${error}` : error;
    throw Object.assign(new Problem(words ?? `The console answered ${answer.status} to ${path}.`), { status: answer.status });
  }
  return answer;
}

/**
 * Follows server-sent events, each with the handler of its name: `open` whenever the connection is new. A hidden page
 * gives its connection back, since browsers allow only six to a server. Returns a function that ends it.
 */
export function followEvents(path, handlers) {
  let events = null;
  const connect = () => {
    events?.close();
    events = document.hidden ? null : new EventSource(path);
    Object.entries(handlers).forEach(([name, handler]) => events?.addEventListener(name, handler));
  };
  document.addEventListener("visibilitychange", connect);
  connect();
  return () => {
    document.removeEventListener("visibilitychange", connect);
    events?.close();
  };
}

/** Says what is wrong at the top of the page; nothing if all is well. */
export function say(problem) {
  tell(document.getElementById("problem"), problem);
}

/** The address of a game's page. */
export function linkTo(game) {
  return `game.html?${new URLSearchParams({ game: game.id })}`;
}

/** The seconds without a move after which a game no longer counts as played. */
export const IDLE = 30;

/** A duration in its largest unit, as "45 s" or "3 h". */
export function ageText(seconds) {
  const [unit, size] = [["d", 86_400], ["h", 3600], ["min", 60]].find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** {name, kind} of how a game ended: for our snakes if others played, else in general. */
export function resultOf(game) {
  if (!game.over) {
    const isIdle = game.idle_s >= IDLE;
    return { name: isIdle ? `no move for ${ageText(game.idle_s)}` : "playing", kind: "live" };
  }
  if (!game.result) {
    return { name: game.source === "running" ? "goes on" : "broken off", kind: "draw" };
  }
  const { winner } = game.result;
  if (winner === null) {
    return { name: game.snakes.length > 1 ? "draw" : "ended", kind: "draw" };
  }
  const ours = game.snakes.filter((snake) => snake.ours).length;
  if (ours === 0 || ours === game.snakes.length) {
    return { name: `${looksOf(game.snakes)[winner].name} won`, kind: "draw" };
  }
  return game.snakes[winner].ours ? { name: "won", kind: "won" } : { name: "lost", kind: "lost" };
}

/** What is played on what, in a few words. */
export function kindOf(game) {
  const map = game.map && !["standard", game.ruleset].includes(game.map) ? ` on ${game.map}` : "";
  return `${game.ruleset}${map}, ${game.width}×${game.height}`;
}

/** A name of any length and direction, which stays on its line. Its title is the full name. */
export function nameElement(name, full = name) {
  return html("bdi", { class: "clip", title: full }, name);
}

/** A mark in the colour of a snake or an arm. */
export function swatch(colour) {
  return styled(html("span", { class: "swatch", "aria-hidden": "true" }), "--colour", colour);
}

/** A time in the reader's own zone; empty if it is not known. */
export function whenOf(time) {
  return time ? new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
}

/** The number of turns of a game in a list. */
export function turnsOf(game) {
  return counted(game.turns ?? game.result?.turns ?? 0, "turn");
}

/** A part of the page beside the board, under its title. */
export function section(title, content) {
  return html("section", { class: "part", "aria-label": title }, html("h2", {}, title), content);
}
