// Heel and trim: the vessel from astern and from the side, leaning as she does.

import { eased } from "./angles.js";
import { element, set, show } from "./svg.js";

const shapes = {
  // From astern: starboard on the right, so a positive roll turns clockwise.
  roll: { d: "M-30-4H30C30 12 20 24 3 27V34H-3V27C-20 24-30 12-30-4ZM-1.5-4V-40H1.5V-4Z", sign: 1 },
  // From starboard: the bow on the right, so a positive pitch turns anticlockwise.
  pitch: { d: "M-36-6H44C40 8 30 16 20 16H-28C-33 16-36 6-36-6ZM-2-6V-40H1V-36L24-10H1V-6Z", sign: -1 },
};

export class Attitude {
  constructor(kind, parent) {
    this.sign = shapes[kind].sign;
    this.shown = this.target = 0;
    this.svg = element("svg", { class: "attitude", viewBox: "-50 -46 100 92", "aria-hidden": "true" }, parent);
    element("path", { class: "level", d: "M-48 2H48" }, this.svg);
    this.hull = element("path", { class: "ship", d: shapes[kind].d }, this.svg);
  }

  /** Degrees; null where it is not known, which is not level. */
  update(degrees) {
    show(this.svg, degrees !== null);
    this.target = (degrees ?? 0) * this.sign;
  }

  animate(milliseconds, isCalm) {
    this.shown = isCalm ? this.target : eased(this.shown, this.target, milliseconds);
    set(this.hull, "transform", `rotate(${this.shown.toFixed(2)})`);
    return this.shown !== this.target;
  }
}
