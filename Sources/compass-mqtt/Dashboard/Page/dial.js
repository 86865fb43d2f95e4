// The compass: a rose that turns under a fixed lubber line, or stands still while the vessel turns.

import { cardinal, eased, shortestTurn, spokenCardinal, threeDigits, unwrapped } from "./angles.js";
import { element, point, ringPart, set, setText, show } from "./svg.js";

const outer = 190;
const inner = 116;

export class Dial {
  constructor(svg) {
    this.svg = svg;
    /** What turns: the rose (head) or the vessel (north). */
    this.rotation = "head";
    /** Degrees on the line, so that turns through north go on. */
    this.shown = null;
    this.target = null;
    this.marks = {};
    this.drawFace();
    this.drawRose();
    this.drawVessel();
    this.drawMarks();
    this.drawFigures();
  }

  drawFace() {
    const defs = element("defs", {}, this.svg);
    const face = element("radialGradient", { id: "face" }, defs);
    element("stop", { offset: "0.55", class: "face-inner" }, face);
    element("stop", { offset: "1", class: "face-outer" }, face);
    element("circle", { r: 204, class: "bezel" }, this.svg);
    element("circle", { r: 199, class: "bezel-edge" }, this.svg);
    element("circle", { r: outer, class: "face", fill: "url(#face)" }, this.svg);
    element("circle", { r: inner - 4, class: "hub" }, this.svg);
  }

  drawRose() {
    this.rose = element("g", { id: "rose", role: "img" }, this.svg);
    for (let angle = 0; angle < 360; angle += 5) this.drawMark(angle);
    this.labels = [];
    for (let angle = 0; angle < 360; angle += 30) {
      this.addLabel(angle, 156, threeDigits(angle), angle === 0 ? "number north" : "number");
    }
    for (const [angle, letter] of [[0, "N"], [90, "E"], [180, "S"], [270, "W"]]) {
      this.addLabel(angle, 128, letter, angle === 0 ? "letter north" : "letter");
    }
    element("path", { d: `M${point(outer - 1, 0)}L${point(outer - 19, -4.5)}L${point(outer - 19, 4.5)}Z`, class: "north-arrow" }, this.rose);
  }

  /** Over everything, so that the lubber line hides none. */
  drawMarks() {
    this.marked = element("g", { id: "marks" }, this.svg);
    this.courseMark = this.addMark("mark-course", "M0-9A9 9 0 1 1 0 9A9 9 0 1 1 0-9ZM0-4A4 4 0 1 0 0 4A4 4 0 1 0 0-4Z", 178);
    this.bearingMark = this.addMark("mark-bearing", "M0-12L9 0L0 12L-9 0Z", 178);
  }

  drawMark(angle) {
    const kind = angle % 30 === 0 ? "long" : angle % 10 === 0 ? "middle" : "short";
    const length = { long: 17, middle: 12, short: 6.5 }[kind];
    element("path", { d: `M${point(outer - 2, angle)}L${point(outer - 2 - length, angle)}`, class: `tick ${kind}` }, this.rose);
  }

  addLabel(angle, radius, text, kind) {
    const place = element("g", { transform: `rotate(${angle}) translate(0 ${-radius})` }, this.rose);
    const label = element("text", { class: kind, dy: "0.35em" }, place);
    label.textContent = text;
    this.labels.push({ angle, label });
  }

  addMark(kind, path, radius) {
    const mark = element("g", { class: "gone" }, this.marked);
    element("path", { d: path, class: kind, transform: `translate(0 ${-radius})` }, mark);
    return mark;
  }

  drawVessel() {
    this.vessel = element("g", { id: "vessel-pointer" }, this.svg);
    this.errorWedge = element("path", { id: "error-wedge", class: "error-wedge gone" }, this.vessel);
    this.accuracyWedge = element("path", { id: "accuracy", class: "accuracy gone" }, this.vessel);
    element("path", { class: "hull", d: "M0-112C26-78 36-34 36 8C36 52 28 84 22 98H-22C-28 84-36 52-36 8C-36-34-26-78 0-112Z" }, this.vessel);
    element("path", { class: "lubber", d: "M0-170L-11-206H11Z" }, this.vessel);
    element("path", { class: "lubber-line", d: "M0-112V-172" }, this.vessel);
  }

  drawFigures() {
    const figures = element("g", { id: "figures", class: "figures" }, this.svg);
    this.referenceText = element("text", { id: "reference-shown", class: "caption", y: -62 }, figures);
    const heading = element("g", { id: "heading", class: "heading" }, figures);
    this.headingText = element("text", { y: 27 }, heading);
    this.degreeSign = element("text", { class: "degree", x: 70, y: 1 }, heading);
    this.cardinalText = element("text", { id: "cardinal", class: "cardinal", y: 64 }, figures);
    this.accuracyText = element("text", { id: "accuracy-text", class: "caption small", y: 88 }, figures);
  }

  /**
   * `heading`: degrees or null; `accuracy`: half-width in degrees or null; `marks`: directions or null; `isOld(topic)`: whether
   * a mark of that topic is not current.
   */
  update({ heading, reference, accuracy, marks, doubt, isFallback, isOld }) {
    if (heading === null) {
      this.shown = this.target = null;
    } else {
      this.target = this.target === null ? heading : unwrapped(this.target, heading);
      this.shown ??= this.target;
    }
    this.marks = marks;
    this.accuracy = accuracy;
    this.drawTexts(heading, reference, accuracy, isFallback);
    this.svg.classList.toggle("stale", doubt !== null);
    show(this.accuracyWedge, accuracy !== null && heading !== null);
    if (accuracy !== null) set(this.accuracyWedge, "d", ringPart(inner, outer, -Math.min(accuracy, 179.9), Math.min(accuracy, 179.9)));
    this.placeMark(this.courseMark, marks.course, isOld("course"));
    this.placeMark(this.bearingMark, marks.bearing, isOld("destination"));
  }

  drawTexts(heading, reference, accuracy, isFallback) {
    setText(this.headingText, heading === null ? "–––" : threeDigits(heading));
    setText(this.degreeSign, heading === null ? "" : "°");
    setText(this.cardinalText, heading === null ? "" : cardinal(heading));
    setText(this.referenceText, reference === "true" ? "TRUE" : "MAGNETIC");
    this.referenceText.classList.toggle("fallback", isFallback);
    setText(this.accuracyText, accuracy === null ? "" : `± ${Math.round(accuracy)}°`);
    const north = reference === "true" ? "true" : "magnetic";
    const spoken = heading === null ? "No heading" : `Heading ${Math.round(heading) % 360} degrees ${north}, ${spokenCardinal(heading)}`;
    set(this.rose, "aria-label", spoken);
  }

  placeMark(mark, direction, isOld) {
    show(mark, direction !== null);
    mark.classList.toggle("old", isOld);
    if (direction !== null) set(mark, "transform", `rotate(${direction.toFixed(1)})`);
  }

  /** Draws what has moved since the last frame. False: nothing is under way any more. */
  animate(milliseconds, isCalm) {
    if (this.target !== null) this.shown = isCalm ? this.target : eased(this.shown, this.target, milliseconds);
    const heading = this.shown ?? 0;
    const turn = this.rotation === "head" ? -heading : 0;
    set(this.rose, "transform", `rotate(${turn.toFixed(2)})`);
    set(this.marked, "transform", `rotate(${turn.toFixed(2)})`);
    set(this.vessel, "transform", `rotate(${(turn + heading).toFixed(2)})`);
    for (const { angle, label } of this.labels) set(label, "transform", `rotate(${(-angle - turn).toFixed(2)})`);
    this.drawError(heading);
    return this.shown !== this.target;
  }

  /** From the bow to the course to steer. */
  drawError(heading) {
    const steer = this.marks.steer ?? null;
    const isShown = steer !== null && this.shown !== null;
    show(this.errorWedge, isShown);
    if (!isShown) return;
    const turn = shortestTurn(heading, steer);
    set(this.errorWedge, "d", ringPart(outer - 26, outer, 0, turn));
    set(this.errorWedge, "data-side", turn < 0 ? "port" : "starboard");
  }

  /** The compass direction under a point of the screen. */
  directionAt(x, y, directionOfPoint) {
    const box = this.svg.getBoundingClientRect();
    const seen = directionOfPoint(x - box.left - box.width / 2, y - box.top - box.height / 2);
    return this.rotation === "head" ? seen + (this.shown ?? 0) : seen;
  }
}
