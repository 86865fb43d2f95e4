// The last ten minutes of heading and speed, kept in the page.

import { folded, threeDigits, unwrapped } from "./angles.js";
import { decimal, niceStep } from "./quantities.js";

const length = 600;
const interval = 1000;

/** One quantity's values, one a second, the oldest first; null where it was not known. */
export class Track {
  constructor() {
    this.values = [];
  }

  add(value) {
    this.values.push(value);
    if (this.values.length > length) this.values.shift();
  }

  get known() {
    return this.values.filter((value) => value !== null);
  }

  get last() {
    return this.known.at(-1) ?? null;
  }
}

export class Strip {
  constructor(canvas) {
    this.canvas = canvas;
    this.heading = new Track();
    this.speed = new Track();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Another vessel, or another north. */
  clear() {
    this.heading = new Track();
    this.speed = new Track();
  }

  /** To be called often; takes one sample a second. `heading` degrees, `speed` in metres a second, or null. */
  sample(now, heading, speed) {
    if (this.sampledAt && now - this.sampledAt < interval) return;
    // Where the page was asleep there is a gap.
    const missed = this.sampledAt ? Math.min(length, Math.floor((now - this.sampledAt) / interval) - 1) : 0;
    for (let count = 0; count < missed; count += 1) this.put(null, null);
    this.sampledAt = now;
    this.put(heading, speed);
    this.draw();
  }

  put(heading, speed) {
    const last = this.heading.last;
    this.heading.add(heading === null ? null : last === null ? heading : unwrapped(last, heading));
    this.speed.add(speed);
  }

  /** `speedScale`: from metres a second to the unit that is shown. */
  show(unit, speedScale) {
    this.unit = unit;
    this.speedScale = speedScale;
  }

  draw() {
    const { width, height } = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) Object.assign(this.canvas, { width: wide, height: high });
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name);
    pen.font = `12px ${style.fontFamily}`;
    const half = (height - 62) / 2;
    this.plot(pen, { track: this.heading, top: 22, height: half, width, line: colour("--ink"), dim: colour("--dim"), grid: colour("--line"),
      least: 20, label: (value) => `${threeDigits(folded(value))}°`, scale: 1, title: "Heading", steps: [10, 30, 45, 90, 180, 360, 720] });
    this.plot(pen, { track: this.speed, top: 46 + half, height: half, width, line: colour("--course"), dim: colour("--dim"), grid: colour("--line"),
      least: 1, label: (value) => decimal(value, 1), scale: this.speedScale ?? 1, title: `Speed ${this.unit ?? ""}`, floor: 0 });
    pen.fillStyle = colour("--dim");
    pen.textBaseline = "alphabetic";
    for (const [minutes, align] of [[10, "left"], [5, "center"], [0, "right"]]) {
      pen.textAlign = align;
      pen.fillText(minutes ? `−${minutes} min` : "now", 44 + (width - 44) * (1 - minutes / 10), height - 1);
    }
  }

  plot(pen, { track, top, height, width, line, dim, grid, least, label, scale, title, steps, floor = -Infinity }) {
    const values = track.values.map((value) => (value === null ? null : value * scale));
    const known = values.filter((value) => value !== null);
    let [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, least];
    const middle = (low + high) / 2;
    [low, high] = [Math.min(low, middle - least / 2), Math.max(high, middle + least / 2)];
    const step = steps?.find((step) => step >= (high - low) / 3) ?? niceStep(high - low, 2);
    low = Math.max(floor, Math.floor(low / step) * step);
    high = Math.ceil(high / step) * step;
    const y = (value) => top + height * (1 - (value - low) / (high - low));
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let value = low; value <= high + step / 2; value += step) {
      pen.strokeStyle = grid;
      pen.beginPath();
      pen.moveTo(44, Math.round(y(value)) + 0.5);
      pen.lineTo(width, Math.round(y(value)) + 0.5);
      pen.stroke();
      pen.fillStyle = dim;
      pen.fillText(label(value), 38, y(value));
    }
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(title, 44, top - 8);
    pen.strokeStyle = line;
    pen.lineWidth = 2;
    pen.lineJoin = "round";
    pen.beginPath();
    let isDown = false;
    values.forEach((value, index) => {
      if (value === null) {
        isDown = false;
        return;
      }
      const x = 44 + ((width - 44) * (length - values.length + index + 1)) / length;
      if (isDown) pen.lineTo(x, y(value));
      else pen.moveTo(x, y(value));
      isDown = true;
    });
    pen.stroke();
  }
}
