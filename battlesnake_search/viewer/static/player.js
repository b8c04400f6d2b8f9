// Which turn is shown: steps and plays through a game, and follows a live one.

/** Sends "turn" when another turn is to be shown, and "playing" when playing starts or stops. */
export class Player extends EventTarget {
  constructor(game, turnsPerSecond) {
    super();
    this.game = game;
    this.turn = game.first;
    this.turnsPerSecond = turnsPerSecond;
    this.timer = null;
    this.following = false;
  }

  get playing() {
    return this.timer !== null;
  }

  /** Shows a turn, or the newest one before it. At the newest turn of a live game the player follows it. */
  go(number) {
    this.turn = this.game.nearest(number);
    this.following = this.game.live && this.turn === this.game.last;
    this.dispatchEvent(new Event("turn"));
  }

  step(steps) {
    this.go(this.game.beside(this.turn, steps));
  }

  /** Notes that the game has grown or ended. */
  grew() {
    if (this.following && !this.playing) {
      this.go(this.game.last);
    } else {
      this.dispatchEvent(new Event("turn"));
    }
  }

  toggle() {
    if (this.playing) {
      this.pause();
    } else {
      this.play();
    }
  }

  play() {
    if (this.turn === this.game.last && !this.game.live) {
      this.go(this.game.first);
    }
    this.tick();
    this.dispatchEvent(new Event("playing"));
  }

  tick() {
    this.timer = setTimeout(() => {
      this.step(1);
      if (this.turn === this.game.last) {
        this.pause();
      } else {
        this.tick();
      }
    }, 1000 / this.turnsPerSecond);
  }

  pause() {
    if (!this.playing) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = null;
    this.dispatchEvent(new Event("playing"));
  }
}
