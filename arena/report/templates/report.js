// The page's games: unpacks them for the picker, and keeps those of one block.

let unpacked = null;

async function load(key) {
  const [block, game] = key.split(".");
  if (unpacked?.block !== block) {
    unpacked = { block, games: inflated(document.getElementById(`block-${block}`).textContent) };
  }
  return (await unpacked.games)[game - 1];
}

document.querySelector("header").append(themeButton());
const report = JSON.parse(document.getElementById("report-data").textContent);
const section = document.getElementById("viewer");
if (report.games.length && "DecompressionStream" in window) {
  const picker = new Picker(section.querySelector('[data-part="picker"]'), report, load, section);
  if (picker.follow()) {
    section.scrollIntoView();
    picker.viewer.stage.focus({ preventScroll: true });
  }
} else if (report.games.length) {
  const problem = section.querySelector('[data-part="too-old"]');
  problem.textContent = "This browser is too old for replays: it has no DecompressionStream.";
}
