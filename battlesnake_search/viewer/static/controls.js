// The buttons, the slider and the keys of a player.

import { html, iconButton } from "./dom.js";

const BIG_STEP = 10;
const SPEEDS = [2, 5, 10, 25];
const USUAL_SPEED = 5;

const ICONS = {
  first: ["First turn", { filled: "M6 5v14M18 5l-8 7 8 7z" }],
  back: ["One turn back", { filled: "M16 5l-9 7 9 7z" }],
  play: ["Play", { "when-paused": "M7 4l13 8-13 8z", "when-playing": "M8 5v14M16 5v14" }],
  next: ["One turn forward", { filled: "M8 5l9 7-9 7z" }],
  last: ["Last turn", { filled: "M18 5v14M6 5l8 7-8 7z" }],
};

/** What the controls do, by the name of a button. */
const ACTIONS = {
  first: (player) => player.go(player.game.first),
  back: (player) => player.step(-1),
  play: (player) => player.toggle(),
  next: (player) => player.step(1),
  last: (player) => player.go(player.game.last),
};

/** What the keys do; `big` is the length of a step. */
const KEYS = {
  ArrowLeft: (player, big) => player.step(-big),
  ArrowRight: (player, big) => player.step(big),
  Home: (player) => player.go(player.game.first),
  End: (player) => player.go(player.game.last),
  " ": (player) => player.toggle(),
};

export class Controls {
  constructor(onSpeed, onTurn, onAction) {
    this.slider = html("input", { type: "range", min: 0, max: 0, value: 0, "data-part": "slider", "aria-label": "Turn" });
    this.slider.addEventListener("input", () => onTurn(Number(this.slider.value)));
    const options = SPEEDS.map((speed) => new Option(String(speed), speed, speed === USUAL_SPEED, speed === USUAL_SPEED));
    this.speed = html("select", { "data-part": "speed" }, ...options);
    this.speed.addEventListener("change", () => onSpeed(this.turnsPerSecond));
    const buttons = Object.entries(ICONS).map(([name, [words, icons]]) => {
      const button = iconButton(name, words, icons);
      button.addEventListener("click", () => onAction(ACTIONS[name]));
      return button;
    });
    this.number = html("input", { type: "number", min: 0, value: 0, class: "number", "data-part": "number" });
    this.number.addEventListener("change", () => onTurn(this.number.valueAsNumber || 0));
    this.play = buttons[2];
    this.play.classList.add("main");
    this.row = html("div", { class: "controls" }, ...buttons, html("label", {}, "Turn ", this.number), html("label", {}, "Turns/s ", this.speed));
  }

  get turnsPerSecond() {
    return Number(this.speed.value);
  }

  show(player, words) {
    this.slider.min = player.game.first;
    this.slider.max = player.game.last;
    this.slider.value = player.turn;
    this.number.min = player.game.first;
    this.number.max = player.game.last;
    if (document.activeElement !== this.number || Number(this.number.value) !== player.turn) {
      this.number.value = player.turn;
    }
    this.slider.setAttribute("aria-valuetext", words);
  }

  showPlaying(playing) {
    const words = playing ? "Pause" : "Play";
    this.play.setAttribute("aria-label", words);
    this.play.title = words;
  }
}

/** The action of a key for a player, or null. Keys that a control needs itself are left to it. */
export function keyAction(event, more) {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches("select, textarea, input:not([data-part=slider], [type=checkbox])")) {
    return null;
  }
  const pressed = key === " " && target.matches("button, input[type=checkbox], summary, a");
  const scrolled = target.closest(".scroll") !== null;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const action = { ...KEYS, ...more }[name];
  return action && !pressed && !scrolled ? (player) => action(player, event.shiftKey ? BIG_STEP : 1) : null;
}
