// The speedometer: half a circle with a pointer.

import { eased } from "./angles.js";
import { decimal, niceStep } from "./quantities.js";
import { element, point, ringPart, set, setText, show } from "./svg.js";

const radius = 112;
const width = 16;
const zero = -90;
const sweep = 180;

export class Gauge {
  constructor(svg) {
    this.svg = svg;
    this.fullScale = null;
    this.shown = 0;
    this.target = 0;
    const defs = element("defs", {}, svg);
    const gradient = element("linearGradient", { id: "speed-colours", gradientUnits: "userSpaceOnUse", x1: -radius, x2: radius }, defs);
    for (const [offset, kind] of [["0", "slow"], ["0.55", "middling"], ["1", "fast"]]) element("stop", { offset, class: kind }, gradient);
    element("path", { class: "track", d: ringPart(radius - width, radius, zero, zero + sweep) }, svg);
    this.fill = element("path", { class: "speed-fill", fill: "url(#speed-colours)", d: ringPart(radius - width, radius, zero, zero + sweep) }, svg);
    this.scale = element("g", {}, svg);
    this.mostMark = element("path", { id: "speed-most-mark", class: "most-mark", d: `M0${-radius - 1}L-5${-radius - 11}H5Z` }, svg);
    this.pointer = element("g", { id: "speed-pointer" }, svg);
    element("path", { class: "pointer", d: `M-3.5-30L-1${-radius + 4}H1L3.5-30Z` }, this.pointer);
    this.figure = element("text", { id: "speed", class: "speed-figure", y: 12 }, svg);
    this.unit = element("text", { id: "speed-unit", class: "caption small", y: 34 }, svg);
  }

  /** The end of the scale, in the unit that is shown. */
  setScale(fullScale) {
    if (fullScale === this.fullScale) return;
    this.fullScale = fullScale;
    this.scale.replaceChildren();
    set(this.svg, "aria-valuemax", fullScale);
    const step = niceStep(fullScale, 6);
    for (let value = 0; value <= fullScale + 1e-9; value += step) {
      const angle = this.angle(value);
      element("path", { class: "tick middle", d: `M${point(radius - width - 2, angle)}L${point(radius - width - 9, angle)}` }, this.scale);
      const [x, y] = point(radius - width - 19, angle).split(" ");
      const label = element("text", { class: "scale-number", x, y, dy: "0.35em" }, this.scale);
      label.textContent = String(Math.round(value * 10) / 10);
    }
  }

  angle(value) {
    return zero + sweep * Math.min(1, Math.max(0, value / this.fullScale));
  }

  /** In the unit that is shown; null: not known. */
  update({ value, unit, most, doubt }) {
    this.target = this.angle(value ?? 0);
    // At rest it would say that the speed is 0.
    show(this.pointer, value !== null);
    show(this.fill, value !== null);
    setText(this.figure, decimal(value, 1));
    setText(this.unit, unit);
    show(this.mostMark, most !== null);
    if (most !== null) set(this.mostMark, "transform", `rotate(${this.angle(most).toFixed(1)})`);
    this.svg.classList.toggle("beyond", value !== null && value > this.fullScale);
    this.svg.classList.toggle("stale", doubt !== null);
    set(this.svg, "aria-valuenow", value ?? 0);
    set(this.svg, "aria-valuetext", value === null ? "not known" : `${decimal(value, 1)} ${unit}`);
  }

  /** False: nothing is under way any more. */
  animate(milliseconds, isCalm) {
    this.shown = isCalm ? this.target : eased(this.shown, this.target, milliseconds);
    set(this.pointer, "transform", `rotate(${this.shown.toFixed(2)})`);
    set(this.fill, "d", ringPart(radius - width, radius, zero, Math.max(zero + 0.01, this.shown)));
    return this.shown !== this.target;
  }
}
