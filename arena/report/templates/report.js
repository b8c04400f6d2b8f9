// The page's games: unpacks replays for the picker, and keeps those of one block.

let unpacked = null;

/** The replays of a block, from base64 of deflated JSON. */
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(inflated).json();
}

async function load(key) {
  const [block, game] = key.split(".");
  if (unpacked?.block !== block) {
    unpacked = { block, replays: unpack(document.getElementById(`block-${block}`).textContent) };
  }
  return (await unpacked.replays)[game - 1];
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
