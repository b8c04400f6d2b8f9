// Light or dark: as the system has it, until the reader chooses. The choice is kept in the browser.

import { iconButton } from "./dom.js";

const KEY = "viewer-theme";
const SUN_AND_MOON = "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z";

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

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

/** A button that changes between light and dark. Applies an earlier choice at once. */
export function themeButton() {
  const theme = stored();
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
  const button = iconButton("theme", "Change between light and dark", { filled: SUN_AND_MOON });
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
    keep(document.documentElement.dataset.theme);
  });
  return button;
}
