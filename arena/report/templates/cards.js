// What each snake's player did and reported in a turn: a card next to the board for each snake.

const ARROWS = { u: "↑", d: "↓", l: "←", r: "→" };
const WORDS = { u: "up", d: "down", l: "left", r: "right" };
const MISSING = "–";

/** An HTML element with a class, and text that is never read as markup. */
function html(name, className, ...children) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

function scoreText(score) {
  if (score === null) {
    return MISSING;
  }
  const sign = score < 0 ? "−" : "+";
  const ending = { 1: " won", "-1": " lost" }[score] ?? "";
  return sign + Math.abs(score).toFixed(3) + ending;
}

function pvText(moves) {
  return [...moves].map((letter) => ARROWS[letter]).join("");
}

class Card {
  constructor(snake, name, colour, onToggle) {
    this.snake = snake;
    this.state = html("p", "state");
    this.bar = html("span", "bar");
    this.move = html("p", "move");
    this.fields = {};
    const list = html("dl", "reported");
    for (const field of ["depth", "nodes", "score", "time"]) {
      this.fields[field] = html("dd", field);
      list.append(html("div", "", html("dt", "", field), this.fields[field]));
    }
    this.pv = html("p", "variation");
    this.toggle = html("button", "toggle", "Show on board");
    this.toggle.type = "button";
    this.toggle.setAttribute("aria-label", `Show the principal variation of ${name} on the board`);
    this.toggle.addEventListener("click", () => onToggle(snake));
    const heading = html("h3", "", html("span", "swatch"), html("span", "name", name));
    const bar = html("div", "health", this.bar);
    this.element = html("li", "card", heading, this.state, bar, this.move, list, this.pv, this.toggle);
    this.element.dataset.snake = snake;
    this.element.style.setProperty("--colour", colour);
  }

  show(replay, frame, names, match, shown) {
    this.toggle.hidden = !replay.reportsPv(this.snake);
    const alive = replay.isAlive(this.snake, frame);
    this.element.classList.toggle("dead", !alive);
    this.state.textContent = alive ? this.aliveText(replay, frame) : this.deathText(replay, names, match);
    this.bar.style.width = `${alive ? Math.min(replay.snakes[this.snake].health[frame], 100) : 0}%`;
    this.showDecision(replay.decision(this.snake, frame));
    this.toggle.setAttribute("aria-pressed", String(shown));
  }

  aliveText(replay, frame) {
    const { health, length } = replay.snakes[this.snake];
    return `health ${health[frame]} · length ${length[frame]}`;
  }

  deathText(replay, names, match) {
    const { frame, cause, by } = replay.snakes[this.snake].death;
    const killer = by === null || by === this.snake ? "" : `, by ${names[by]}`;
    return `died in turn ${replay.data.first_turn + frame - 1}: ${match.causes[cause] ?? cause}${killer}`;
  }

  showDecision(decision) {
    this.move.textContent = decision ? `${ARROWS[decision.move]} ${WORDS[decision.move]}` : MISSING;
    if (decision?.fault) {
      this.move.append(html("span", "fault", decision.fault));
    }
    this.fields.depth.textContent = decision?.depth || MISSING;
    this.fields.nodes.textContent = decision?.nodes ? decision.nodes.toLocaleString("en") : MISSING;
    this.fields.score.textContent = decision ? scoreText(decision.score) : MISSING;
    this.fields.time.textContent = decision ? `${decision.milliseconds.toFixed(1)} ms` : MISSING;
    const own = decision ? pvText(decision.pv[this.snake]) : "";
    this.pv.textContent = own ? `expects ${own}` : "no variation";
    this.pv.title = this.pv.textContent;
  }
}
