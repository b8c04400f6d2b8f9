// Lists whose elements stay while their data do, so that nothing jumps and the focus is kept.

import { html } from "/viewer/dom.js";

const drawn = new WeakMap();
let lost = null;

/** Shows items, each with a `key`, `data` and a function `draw` that makes the element; without items some words. */
export function arrange(list, items, otherwise = "") {
  const before = new Map([...list.children].map((element) => [element.dataset.key, element]));
  const active = [...list.children].find((element) => element.contains(document.activeElement));
  const shown = items.length || !otherwise ? items : [{ key: "", data: otherwise, draw: () => html("li", { class: "wide" }, otherwise) }];
  const elements = shown.map((item) => kept(before.get(item.key), item));
  [...list.children].filter((element) => !elements.includes(element)).forEach((element) => element.remove());
  elements.forEach((element, index) => {
    if (list.children[index] !== element) {
      list.insertBefore(element, list.children[index] ?? null);
    }
  });
  if (active && !active.isConnected) {
    lost = active.dataset.key;
  }
  // The item may have been drawn again, or have moved to another list.
  const found = document.activeElement === document.body && elements.find((element) => element.dataset.key === lost);
  if (found) {
    found.querySelector("a, button")?.focus();
    lost = null;
  }
}

function kept(old, { key, data, draw }) {
  const text = JSON.stringify(data);
  if (old && drawn.get(old) === text) {
    return old;
  }
  const element = draw(data);
  element.dataset.key = key;
  drawn.set(element, text);
  return element;
}
