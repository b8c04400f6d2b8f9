// Light or dark: as the system has it, until the reader chooses. The choice is kept in the browser for scheme.js.

import { iconButton } from "./dom.js";

const KEY = "viewer-theme";
const SUN_AND_MOON = "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z";

function keep(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function current() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return document.documentElement.dataset.theme ?? dark;
}

/** A button that changes between light and dark. */
export function themeButton() {
  const button = iconButton("theme", "Change between light and dark", { filled: SUN_AND_MOON });
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
    keep(document.documentElement.dataset.theme);
  });
  return button;
}
