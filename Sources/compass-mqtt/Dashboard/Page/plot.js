// One quantity over time on a canvas: a scale with its lines, and the curve.

import { niceStep } from "./quantities.js";

const margin = 44;

/** The round numbers between which all values lie, at least `least` apart. `steps`: those allowed, else 1, 2, 5, 10 ... */
export function scaleOf(known, { least, steps, floor = -Infinity }) {
  const middle = (Math.min(...known) + Math.max(...known)) / 2;
  const low = Math.min(...known, middle - least / 2);
  const high = Math.max(...known, middle + least / 2);
  const step = steps?.find((step) => step >= (high - low) / 3) ?? niceStep(high - low, 2);
  return { low: Math.max(floor, Math.floor(low / step) * step), high: Math.ceil(high / step) * step, step };
}

export class Plot {
  /** `colour(name)`: of a custom property; `top`, `height`, `width` in CSS pixels. */
  constructor(pen, colour, { top, height, width }) {
    Object.assign(this, { pen, colour, top, height, width });
  }

  /** `values`: one for each of `length` places, the last at the right edge; null where it was not known. */
  draw({ title, values, length, line, label, ...limits }) {
    this.drawTitle(title);
    const known = values.filter((value) => value !== null);
    if (!known.length) return;
    const scale = scaleOf(known, limits);
    this.drawScale(scale, label);
    this.drawCurve(values, length, scale, line);
  }

  drawTitle(title) {
    this.pen.fillStyle = this.colour("--dim");
    this.pen.textAlign = "left";
    this.pen.textBaseline = "alphabetic";
    this.pen.fillText(title, margin, this.top - 8);
  }

  drawScale({ low, high, step }, label) {
    const { pen } = this;
    pen.lineWidth = 1;
    pen.strokeStyle = this.colour("--line");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let value = low; value <= high + step / 2; value += step) {
      const y = this.y(value, { low, high });
      pen.beginPath();
      pen.moveTo(margin, Math.round(y) + 0.5);
      pen.lineTo(this.width, Math.round(y) + 0.5);
      pen.stroke();
      pen.fillText(label(value), margin - 6, y);
    }
  }

  drawCurve(values, length, scale, line) {
    const { pen } = this;
    pen.strokeStyle = this.colour(line);
    pen.lineWidth = 2;
    pen.lineJoin = "round";
    pen.beginPath();
    values.forEach((value, index) => {
      if (value === null) return;
      const x = margin + ((this.width - margin) * (length - values.length + index + 1)) / length;
      const isBegin = index === 0 || values[index - 1] === null;
      pen[isBegin ? "moveTo" : "lineTo"](x, this.y(value, scale));
    });
    pen.stroke();
  }

  /** Below all plots. */
  drawMinutes(minutes, y) {
    this.pen.fillStyle = this.colour("--dim");
    this.pen.textBaseline = "alphabetic";
    for (const [back, align] of [[minutes, "left"], [minutes / 2, "center"], [0, "right"]]) {
      this.pen.textAlign = align;
      this.pen.fillText(back ? `−${back} min` : "now", margin + (this.width - margin) * (1 - back / minutes), y);
    }
  }

  y(value, { low, high }) {
    return this.top + this.height * (1 - (value - low) / (high - low));
  }
}
