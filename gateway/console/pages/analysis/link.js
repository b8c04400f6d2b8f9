// The analysis in the page's address: the /move body of the position, compressed, after #position=, and the settings of
// the search as JSON after &search=.

const LONGEST = 6000;
const POSITION = "position";
const SEARCH = "search";

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Puts an analysis into the address; a position that is too large for it is left out. Returns whether it is there. */
export async function writeAddress(position, settings) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(position.toBody())));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const fits = text.length <= LONGEST;
  const parts = new URLSearchParams({ ...(fits ? { [POSITION]: text } : {}), [SEARCH]: JSON.stringify(settings) });
  history.replaceState(null, "", `${location.pathname}#${parts}`);
  return fits;
}

function inHash(name) {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}

/** The settings of the search in the address, else null. Throws an Error if they can't be read. */
export function readSettings() {
  try {
    return JSON.parse(inHash(SEARCH));
  } catch {
    throw new Error("The settings of the search in the address can't be read.");
  }
}

/** The /move body in the address, else null. Throws an Error if it can't be read. */
export async function readAddress() {
  const text = inHash(POSITION);
  if (!text) {
    return null;
  }
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  } catch {
    throw new Error("The position in the address can't be read.");
  }
}
