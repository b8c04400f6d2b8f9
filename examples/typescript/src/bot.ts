// A Battlesnake that answers the engine itself and leaves the search to a searcher.
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { credentials, Metadata } from "@grpc/grpc-js";

import {
  type Board,
  Direction,
  Position,
  type RulesetSettings,
  SearchServiceClient,
  type SearchResult,
  StreamSearchRequest,
} from "./generated/battlesnake/search/v1/search.js";

/** What a search needs of the body of a /move request. A board has the same names in the contract. */
interface Body {
  game: {
    id: string;
    map: string;
    timeout: number;
    ruleset: { name: string; settings?: RulesetSettings & { royale?: { shrinkEveryNTurns: number } } };
  };
  turn: number;
  you: { id: string };
  board: Board;
}

const { PORT = "8080", SEARCHER = "localhost:50051", SEARCHER_TOKEN } = process.env;
const MARGIN = 100; // milliseconds of a move's time that the network takes
const RULESETS = ["standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor"];
const STEPS: [Direction, number, number][] = [
  [Direction.UP, 0, 1],
  [Direction.DOWN, 0, -1],
  [Direction.LEFT, -1, 0],
  [Direction.RIGHT, 1, 0],
];
const LOOKS = { apiversion: "1", color: "#2f6f4e", head: "safe", tail: "bolt" };

const searcher = new SearchServiceClient(SEARCHER, credentials.createInsecure(), {
  "grpc.max_reconnect_backoff_ms": 1000, // or a searcher that was away is found minutes later
  "grpc.enable_http_proxy": 0, // or the proxy of https_proxy is used even for a searcher on this machine
});
searcher.getChannel().getConnectivityState(true); // connects now, and not with the first move
const metadata = new Metadata({ waitForReady: true });
if (SEARCHER_TOKEN) metadata.set("authorization", `Bearer ${SEARCHER_TOKEN}`);

/** Translates the body of a /move request; fields that the contract does not have are left out. */
function translate({ game, turn, you, board }: Body): Position {
  const { name, settings } = game.ruleset;
  return Position.fromJSON({
    gameId: game.id,
    turn,
    youId: you.id,
    ruleset: {
      name: RULESETS.includes(name) ? name : "standard", // as the official engine plays it
      map: game.map,
      settings: { ...settings, shrinkEveryNTurns: settings?.royale?.shrinkEveryNTurns },
    },
    board,
  });
}

/** Returns the best result that arrives before the deadline, undefined if none does. */
function search(position: Position, deadline: Date): Promise<SearchResult | undefined> {
  return new Promise((resolve) => {
    let best: SearchResult | undefined;
    searcher
      .streamSearch(StreamSearchRequest.create({ position }), metadata, { deadline })
      .on("data", ({ result }) => (best = result))
      .on("error", (error) => {
        console.error(`search: ${error.message}`);
        resolve(best);
      })
      .on("end", () => resolve(best));
  });
}

/** Returns a move that stays on the board and hits no body; up if there is none. */
function fallback({ youId, ruleset, board }: Position): Direction {
  const { width, height, snakes } = board!;
  const head = snakes.find(({ id }) => id === youId)!.body[0]!;
  const parts = snakes.flatMap(({ body }) => body.slice(0, -1)); // without the tail, which moves on
  const wrapped = ruleset!.name.startsWith("wrapped");
  const free = STEPS.find(([, dx, dy]) => {
    const x = wrapped ? (head.x + dx + width) % width : head.x + dx;
    const y = wrapped ? (head.y + dy + height) % height : head.y + dy;
    return x >= 0 && x < width && y >= 0 && y < height && !parts.some((part) => part.x === x && part.y === y);
  });
  return free?.[0] ?? Direction.UP;
}

async function move(body: Body, start: number): Promise<string> {
  const position = translate(body);
  const result = await search(position, new Date(start + body.game.timeout - MARGIN));
  const name = Direction[result?.move ?? fallback(position)]!.toLowerCase();
  console.error(`move: ${name} (${result ? `search, depth ${result.depth}` : "fallback"})`);
  return name;
}

async function answer(request: IncomingMessage): Promise<[number, object?]> {
  const start = Date.now();
  switch (`${request.method} ${request.url}`) {
    case "GET /":
      return [200, LOOKS];
    case "POST /move":
      return [200, { move: await move(JSON.parse(await text(request)), start) }];
    case "POST /start":
    case "POST /end":
      return [200];
    default:
      return [404];
  }
}

createServer(async (request, response) => {
  const [status, value] = await answer(request).catch((error): [number, object] => [400, { error: `${error}` }]);
  response.writeHead(status, { "content-type": "application/json" }).end(value && JSON.stringify(value));
}).listen(Number(PORT));
