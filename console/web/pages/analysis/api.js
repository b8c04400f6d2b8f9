// The API of analyses.

import { post } from "../console.js";

/** A pasted body as a search can take it: {position, mended, is_you_given}. */
export async function read(text) {
  return (await post("/api/paste", { text })).json();
}

export async function evaluate(question, signal) {
  return (await post("/api/evaluate", question, signal)).json();
}

export async function advance(question) {
  return (await post("/api/advance", question)).json();
}

/** Yields {name, data} of each event of a search, until it has ended. */
export async function* analyze(question, signal) {
  const answer = await post("/api/analyze", question, signal);
  let text = "";
  for await (const part of chunks(answer.body.pipeThrough(new TextDecoderStream()))) {
    const events = (text + part).split("\n\n");
    text = events.pop();
    yield* events.map(eventOf).filter(Boolean);
  }
}

// Not every browser iterates over streams.
async function* chunks(stream) {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    yield part.value;
  }
}

function eventOf(text) {
  const found = /^event: (\w+)\ndata: (.*)$/s.exec(text);
  return found && { name: found[1], data: JSON.parse(found[2]) };
}
