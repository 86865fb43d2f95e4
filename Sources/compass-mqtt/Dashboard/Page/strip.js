// The last ten minutes of heading and speed, kept in the page.

import { folded, threeDigits, unwrapped } from "./angles.js";
import { Plot } from "./plot.js";
import { decimal } from "./quantities.js";

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
    const pen = this.cleanPen(width, height);
    const style = getComputedStyle(this.canvas);
    pen.font = `12px ${style.fontFamily}`;
    const colour = (name) => style.getPropertyValue(name);
    const half = (height - 62) / 2;
    const plot = (top) => new Plot(pen, colour, { top, height: half, width });
    plot(22).draw({
      title: "Heading", values: this.heading.values, length, line: "--ink",
      label: (value) => `${threeDigits(folded(value))}°`, least: 20, steps: [10, 30, 45, 90, 180, 360, 720],
    });
    const scale = this.speedScale ?? 1;
    const speed = plot(46 + half);
    speed.draw({
      title: `Speed ${this.unit ?? ""}`, values: this.speed.values.map((value) => (value === null ? null : value * scale)),
      length, line: "--course", label: (value) => decimal(value, 1), least: 1, floor: 0,
    });
    speed.drawMinutes(length * interval / 60000, height - 1);
  }

  /** As many pixels as the screen has under the canvas, and all of them empty. */
  cleanPen(width, height) {
    const ratio = window.devicePixelRatio || 1;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (this.canvas.width !== size.width || this.canvas.height !== size.height) Object.assign(this.canvas, size);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }
}
