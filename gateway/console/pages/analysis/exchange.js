// The position as text: copied, pasted, or dropped as a file.

import { html, wordButton } from "/viewer/dom.js";
import { read } from "./api.js";
import { field } from "./fields.js";
import { Position } from "./position.js";

/** `opened` is called with the position of a /move body; `position` returns the present one. */
export class Exchange {
  constructor({ opened, position }) {
    this.opened = opened;
    const paste = field("Paste the body of a /move request here, or drop a file of it on the page", html("textarea", {
      rows: 4, spellcheck: "false", "data-part": "paste",
    }));
    this.input = paste.input;
    this.said = html("p", { class: "note", role: "status" });
    const open = wordButton("open", "Open", () => this.open(this.input.value));
    const copy = wordButton("copy", "Copy the position", () => this.copy(JSON.stringify(position().toBody(), null, 1)));
    const link = wordButton("link", "Copy the link", () => this.copy(location.href));
    this.element = html("div", {}, paste.element, html("div", { class: "row" }, open, copy, link), this.said);
    document.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
    document.addEventListener("drop", (event) => this.drop(event));
  }

  async drop(event) {
    const [file] = event.dataTransfer.files;
    if (file) {
      event.preventDefault();
      this.open(await file.text());
    }
  }

  async open(text) {
    try {
      const { position, mended, is_you_given: isGiven } = await read(text);
      this.opened(Position.fromBody(position));
      const mends = mended.length ? [`Mended: ${mended.join(", ")}.`] : [];
      const guess = isGiven ? [] : ["Whose move it is was not said: it is the first snake's."];
      this.said.textContent = ["Opened.", ...mends, ...guess].join(" ");
    } catch (error) {
      this.said.textContent = error.message;
    }
  }

  async copy(text) {
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    if (!copied) {
      this.input.value = text;
      this.input.select();
    }
    this.said.textContent = copied ? "Copied." : "Copy it from the field.";
  }
}
