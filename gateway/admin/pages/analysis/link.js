// The position in the page's address: its /move body, compressed, after #position=.

const LONGEST = 6000;
const NAME = "position";

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Puts a position into the address; one that is too large for it is left out. Returns whether it is there. */
export async function writeAddress(position) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(position.toBody())));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const fits = text.length <= LONGEST;
  history.replaceState(null, "", location.pathname + (fits ? `#${NAME}=${text}` : ""));
  return fits;
}

/** The /move body in the address, else null. Throws an Error if it can't be read. */
export async function readAddress() {
  const text = new URLSearchParams(location.hash.slice(1)).get(NAME);
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
