// Elements of the page. Text is never read as markup, and no element has a style attribute.

const SVG = "http://www.w3.org/2000/svg";
const LONGEST_LOAD = 5000;

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** An SVG element with attributes and children. */
export function svg(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** An HTML element with attributes and children. */
export function html(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Gives an SVG element a title, and returns it. */
export function titled(element, words) {
  element.prepend(svg("title", {}, words));
  return element;
}

/** Sets a variable of the style sheet on an element, and returns the element. */
export function styled(element, name, value) {
  element.style.setProperty(name, value);
  return element;
}

/** Replaces the children of an element. The focus stays on the control with the same data-key, which has data-again while it is focused again. */
export function refill(element, ...children) {
  const focused = document.activeElement;
  const key = element.contains(focused) ? focused.dataset.key : undefined;
  element.replaceChildren(...children);
  const control = [...element.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (control) {
    control.dataset.again = "";
    control.focus({ preventScroll: true });
    delete control.dataset.again;
  }
  return element;
}

/** Writes words into an element. The same words again are no change, so a screen reader doesn't repeat them. */
export function tell(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/** Copies a text. Returns whether the browser allows it here. */
export function copyText(text) {
  return navigator.clipboard.writeText(text).then(() => true, () => false);
}

/** A button with an icon: paths of a 24 by 24 drawing, by class. */
export function iconButton(part, words, icons) {
  const paths = Object.entries(icons).map(([name, d]) => svg("path", { class: name, d }));
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, ...paths);
  return html("button", { type: "button", "data-part": part, "aria-label": words, title: words }, icon);
}

/** A button with words on it. */
export function wordButton(part, words, action) {
  const button = html("button", { type: "button", "data-part": part, class: "word" }, words);
  button.addEventListener("click", action);
  return button;
}

/**
 * Lets the page count as loaded once a promise is settled, at the latest after some seconds. So a headless browser takes
 * no picture before there is something to see: the document of a frame delays the page until it is closed.
 */
export function holdLoad(ready) {
  const frame = html("iframe", { hidden: "", title: "" });
  document.body.append(frame);
  frame.contentDocument.open();
  const late = new Promise((settle) => setTimeout(settle, LONGEST_LOAD));
  Promise.race([ready, late]).finally(() => {
    frame.contentDocument.close();
    frame.remove();
  });
}
