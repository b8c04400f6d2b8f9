// Games as data: unpacks them, and looks up what is on the board in a frame. It knows no rules.

const LETTERS = { u: [0, 1], d: [0, -1], l: [-1, 0], r: [1, 0] };

/** The replays of a block, from base64 of deflated JSON. */
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(inflated).json();
}

/** One game. Frame t is the board before the decisions of turn t; the last frame has no decisions. */
class Replay {
  constructor(data, match) {
    this.data = data;
    this.match = match;
    this.last = data.turns;
  }

  get snakes() {
    return this.data.snakes;
  }

  point(cell) {
    return [cell % this.match.width, Math.floor(cell / this.match.width)];
  }

  isAlive(snake, frame) {
    return frame < this.snakes[snake].length.length;
  }

  /** The cells of a living snake, head first; folded parts repeat the tail. */
  body(snake, frame) {
    const track = this.snakes[snake];
    const restarts = track.restarts.filter((each) => each <= frame);
    const end = restarts.reduce((sum, each) => sum + track.kept[each] - 1, track.kept[0] + frame);
    const cells = track.trail.slice(end - track.kept[frame], end).reverse();
    while (cells.length < track.length[frame]) {
      cells.push(cells[cells.length - 1]);
    }
    return cells.map((cell) => this.point(cell));
  }

  food(frame) {
    const lying = this.data.food.filter(([, since, until]) => since <= frame && frame < until);
    return lying.map(([cell]) => this.point(cell));
  }

  /** [[x, y], layers] of each cell with hazards. */
  hazards(frame) {
    const entries = this.data.hazards.filter(([since]) => since <= frame);
    return entries[entries.length - 1][1].map(([cell, layers]) => [this.point(cell), layers]);
  }

  /** The decision of a snake in the turn after a frame; null if it was dead or the game was over. */
  decision(snake, frame) {
    const track = this.snakes[snake];
    if (frame >= track.moves.length) {
      return null;
    }
    return {
      move: track.moves[frame],
      depth: track.depth[frame],
      nodes: track.nodes[frame],
      score: track.scores[frame],
      milliseconds: track.milliseconds[frame],
      fault: track.faults[frame] ?? null,
      pv: this.pv(track.pvs[frame]),
    };
  }

  /** Whether a snake's player reported a principal variation in any turn. */
  reportsPv(snake) {
    return this.snakes[snake].pvs.some((letters) => letters !== "");
  }

  /** A principal variation by snake: the letters of its moves until it dies. */
  pv(letters) {
    const count = this.snakes.length;
    return this.snakes.map((_, snake) => {
      let moves = "";
      for (let place = snake; place < letters.length && letters[place] !== "-"; place += count) {
        moves += letters[place];
      }
      return moves;
    });
  }

  /** The cells that a head reaches by these moves. The path ends at the board's edge, unless it wraps. */
  path(snake, frame, moves) {
    const { width, height, wrapped } = this.match;
    const cells = [this.body(snake, frame)[0]];
    for (const letter of moves) {
      const [x, y] = cells[cells.length - 1];
      const next = [x + LETTERS[letter][0], y + LETTERS[letter][1]];
      if (wrapped) {
        cells.push([(next[0] + width) % width, (next[1] + height) % height]);
      } else if (next[0] < 0 || next[1] < 0 || next[0] >= width || next[1] >= height) {
        break;
      } else {
        cells.push(next);
      }
    }
    return cells;
  }
}
