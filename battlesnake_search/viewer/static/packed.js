// Data that a page of one file brings along.

import { holdLoad } from "./dom.js";

/** The value in base64 of deflated JSON. The page counts as loaded only after this. */
export function inflated(base64) {
  const found = inflate(base64);
  holdLoad(found.catch(() => {}));
  return found;
}

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
