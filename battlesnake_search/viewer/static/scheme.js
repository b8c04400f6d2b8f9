// Applies the colours that the reader has chosen before the first paint, so that a page is not light for a moment.
// Pages load this file as a plain script in their head.

try {
  const chosen = localStorage.getItem("viewer-theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
} catch {
  // Without storage the system's colours hold.
}
