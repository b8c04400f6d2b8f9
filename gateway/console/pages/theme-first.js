// Applies the chosen theme before the page is drawn; /viewer/theme.js keeps the choice. Not a module, since modules run late.

try {
  const theme = localStorage.getItem("viewer-theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Without storage there is no choice.
}
