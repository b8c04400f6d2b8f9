// A position in the page's address: its /move body, compressed.

import { inAddress } from "/viewer/address.js";
import { Problem } from "../console.js";

const LONGEST = 6000;

export const TOO_LARGE = "The position is too large for an address: copy it as a body.";

async function through(stream, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** What the address says of a position; null if the position is too large. */
export async function addressOf(position) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(position.toBody())));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length <= LONGEST ? { position: text } : null;
}

/** The /move body in the address, else null. Throws a Problem if it can't be read. */
export async function bodyInAddress() {
  const text = inAddress("position");
  if (!text) {
    return null;
  }
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  } catch {
    throw new Problem("The position in the address can't be read.");
  }
}

/** The settings of the search in the address, else null. Throws a Problem if they can't be read. */
export function settingsInAddress() {
  try {
    return JSON.parse(inAddress("search"));
  } catch {
    throw new Problem("The settings of the search in the address can't be read.");
  }
}
