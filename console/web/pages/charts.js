// Charts as SVG, drawn anew for each width so that their text keeps its size. Each has the same numbers as a table.

import { html, styled, svg } from "/viewer/dom.js";

const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;
const HEIGHT = 260;
const ROW = 46;
const LETTER = 7.8;
const SIDES = 8;

/** The colour of the side with this number. */
export function sideColour(index) {
  return `var(--side-${index % SIDES})`;
}

/**
 * A figure with a chart and its table. `draw(width)` returns the chart as an SVG element; `describe` says in words
 * what it shows; `table` is {columns, rows}, the first cell of a row its name.
 */
export function figure({ title, describe, draw, table, keys = [] }) {
  const box = html("div", { class: "chart-box" });
  const legend = keys.map(({ name, colour, kind = "line" }) => styled(html("li", {}, html("span", { class: `key ${kind}` }), name), "--colour", colour));
  const element = html(
    "figure",
    { class: "chart" },
    html("figcaption", {}, html("strong", {}, title), html("span", { class: "note" }, describe)),
    ...(keys.length ? [html("ul", { class: "keys" }, ...legend)] : []),
    box,
    tableOf(title, table),
  );
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width && width !== drawn) {
      drawn = width;
      const picture = draw(width);
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", `${title}. ${describe}`);
      box.replaceChildren(picture);
    }
  }).observe(box);
  return element;
}

function tableOf(title, { columns, rows }) {
  const scroll = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, plainTable(columns, rows));
  return html("details", { class: "table" }, html("summary", {}, "The same as a table"), scroll);
}

/** Replaces what an element holds; tables that the reader has opened stay open. */
export function replaceContent(element, ...content) {
  const open = [...element.querySelectorAll("details")].map((each) => each.open);
  element.replaceChildren(...content);
  element.querySelectorAll("details").forEach((each, index) => {
    each.open = open[index] ?? false;
  });
}

/** A table; the first cell of a row is its name. */
export function plainTable(columns, rows) {
  const head = html("tr", {}, ...columns.map((name) => html("th", { scope: "col" }, name)));
  const body = rows.map(([name, ...cells]) => {
    return html("tr", {}, html("th", { scope: "row" }, ...[name].flat()), ...cells.map((cell) => html("td", {}, cell)));
  });
  return html("table", { class: "plain" }, html("thead", {}, head), html("tbody", {}, ...body));
}

/** Round numbers from low to high, about as many as asked for. */
function ticks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const found = [];
  for (let number = first; number * step <= high + step * 1e-9; number += 1) {
    found.push(Number((number * step).toPrecision(12)));
  }
  return found;
}

function canvas(width, height, ...children) {
  return svg("svg", { class: "chart-picture", viewBox: `0 0 ${width} ${height}`, width, height }, ...children);
}

function text(words, x, y, attributes = {}) {
  return svg("text", { x, y, ...attributes }, words);
}

/** What maps [low, high] to [start, end]. */
function scale([low, high], [start, end]) {
  return (value) => start + ((Math.min(Math.max(value, low), high) - low) / (high - low || 1)) * (end - start);
}

/**
 * A dot with its interval for each row {name, colour, low, value, high, words}, one below the other. There is an
 * upright line at the `level`, if there is one.
 */
export function intervals(width, { rows, domain, format, level }) {
  const [bottom, sides] = [rows.length * ROW + TOP, [8, width - 8]];
  const x = scale(domain, sides);
  const grid = ticks(...domain, Math.max(2, Math.floor(width / 110))).flatMap((tick) => [
    svg("path", { class: "grid", d: `M${x(tick)},${TOP} V${bottom}` }),
    text(format(tick), x(tick), bottom + 18, { class: "tick", "text-anchor": anchor(x(tick), width) }),
  ]);
  const lines = level === undefined ? [] : [svg("path", { class: "level", d: `M${x(level)},${TOP} V${bottom}` })];
  const drawn = rows.map((row, index) => interval(row, TOP + index * ROW, x, width));
  return canvas(width, bottom + 26, ...grid, ...lines, ...drawn);
}

function interval({ name, colour, low, value, high, words }, top, x, width) {
  const middle = top + 32;
  const room = Math.floor((width - 32 - words.length * LETTER) / LETTER);
  // The names of arms often differ only at the end.
  const half = Math.max(Math.floor((room - 1) / 2), 3);
  const shown = name.length > room ? `${name.slice(0, half)}…${name.slice(-half)}` : name;
  const label = text(shown, 8, top + 16, { class: "row-name" });
  const known = text(words, width - 8, top + 16, { class: "row-words", "text-anchor": "end" });
  if (value === null) {
    return svg("g", {}, label, known);
  }
  const bar = svg("path", { class: "whisker", d: `M${x(low)},${middle} H${x(high)}` });
  const dot = svg("circle", { class: "dot-mark", cx: x(value), cy: middle, r: 6 });
  return styled(svg("g", {}, label, known, bar, dot), "--colour", colour);
}

function anchor(x, width) {
  return x < 30 ? "start" : x > width - 30 ? "end" : "middle";
}

/**
 * A line in its band, with the level 0. `rows` are {count, low, value, high}; `across` and `up` are the ends of the axes;
 * `moments` {x, name, low} are upright lines, with the name at the bottom if low.
 */
export function bandedLine(width, { rows, colour, across, up, label, format, moments }) {
  const x = scale(across, [LEFT, width - RIGHT]);
  const y = scale(up, [HEIGHT - BOTTOM, TOP]);
  const level = (name, value) => svg("path", { class: name, d: `M${LEFT},${y(value)} H${width - RIGHT}` });
  const path = (points) => points.map(([count, value], index) => `${index ? "L" : "M"}${x(count)},${y(value)}`).join(" ");
  const grid = ticks(...up, 5).flatMap((tick) => [level("grid", tick), text(format(tick), LEFT - 6, y(tick) + 4, { class: "tick", "text-anchor": "end" })]);
  const numbers = ticks(...across, Math.max(2, Math.floor(width / 110))).map((tick) => {
    return text(tick.toLocaleString("en"), x(tick), HEIGHT - BOTTOM + 16, { class: "tick", "text-anchor": x(tick) > width - 30 ? "end" : "middle" });
  });
  const axis = text(label, (LEFT + width - RIGHT) / 2, HEIGHT - 5, { class: "tick", "text-anchor": "middle" });
  const edge = [...rows.map(({ count, high }) => [count, high]), ...rows.map(({ count, low }) => [count, low]).reverse()];
  const band = svg("path", { class: "band", d: `${path(edge)} Z` });
  const line = svg("path", { class: "line", d: path(rows.map(({ count, value }) => [count, value])) });
  const drawn = styled(svg("g", {}, band, level("level", 0), line), "--colour", colour);
  return canvas(width, HEIGHT, ...grid, ...numbers, axis, drawn, ...moments.map((moment) => momentLine(moment, x, width)));
}

function momentLine({ x: at, name, low = false }, x, width) {
  const right = x(at) > width / 2;
  const words = text(name, x(at) + (right ? -6 : 6), low ? HEIGHT - BOTTOM - 6 : TOP + 12, { class: "level-name", "text-anchor": right ? "end" : "start" });
  return svg("g", {}, svg("path", { class: "moment", d: `M${x(at)},${TOP} V${HEIGHT - BOTTOM}` }), words);
}
