// Fields with labels.

import { html } from "/viewer/dom.js";

let count = 0;

/** {element, input}: a control under its label. */
export function field(label, input) {
  input.id ||= `field-${++count}`;
  return { element: html("div", { class: "field" }, html("label", { for: input.id }, label), input), input };
}

export function numberField(label, attributes, change) {
  const input = html("input", { type: "number", ...attributes });
  input.addEventListener("change", () => {
    const value = Math.min(Math.max(Math.round(input.valueAsNumber) || 0, Number(input.min)), Number(input.max));
    input.value = value;
    change(value);
  });
  return field(label, input);
}

export function choiceField(label, names, change) {
  const input = html("select", {}, ...names.map((name) => html("option", {}, name)));
  input.addEventListener("change", () => change(input.value));
  return field(label, input);
}
