// The course to steer: a bug on the dial that can be dragged, buttons, a field, and the way to the vessel.

import { directionOfPoint, folded, fromNorth, shortestTurn, threeDigits } from "./angles.js";
import { element, set, setText, show } from "./svg.js";

// How long a vessel may take to confirm.
const patience = 4000;
// A hand that moves less, in pixels, has only touched the bug.
const slack = 5;
// Keys are pressed more than once: what they lead to is sent after the last.
const keyPause = 700;

export class Steering {
  /** `send(command)` returns a promise of null or of what went wrong, in words. */
  constructor(dial, root, send, redraw) {
    this.dial = dial;
    this.send = send;
    this.redraw = redraw;
    /** What the hand holds, in the north that is shown; the vessel's own does not move it. */
    this.held = null;
    /** Where a hand has taken the bug. */
    this.grip = null;
    this.isDragged = false;
    this.confirmed = null;
    this.note = "";
    this.root = root;
    this.parts = Object.fromEntries(["value", "error", "form", "less", "input", "more", "set", "clear", "note"]
      .map((name) => [name, root.querySelector(`#steer-${name}`)]));
    this.drawBug();
    this.listen();
  }

  drawBug() {
    this.turner = element("g", {}, this.dial.svg);
    this.bug = element("g", {
      id: "bug", class: "bug", role: "slider", tabindex: 0, transform: "translate(0 -190)",
      "aria-label": "Course to steer", "aria-valuemin": 0, "aria-valuemax": 359,
    }, this.turner);
    element("circle", { class: "grip", r: 30 }, this.bug);
    element("path", { class: "mark-steer", d: "M-15-14H15V3L0 19L-15 3Z" }, this.bug);
  }

  listen() {
    const { form, less, more, clear, input } = this.parts;
    less.addEventListener("click", () => this.nudge(-5));
    more.addEventListener("click", () => this.nudge(5));
    clear.addEventListener("click", () => this.command(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const degrees = Number(input.value);
      if (/^[0-9]{1,3}$/.test(input.value) && degrees <= 360) this.command(folded(degrees));
      else this.tell("A course is 0 to 359.");
    });
    this.bug.addEventListener("keydown", (event) => this.key(event));
    // Or the finger would scroll the page, and the browser cancel the drag.
    this.bug.addEventListener("touchstart", (event) => this.isUsable && event.preventDefault(), { passive: false });
    this.bug.addEventListener("pointerdown", (event) => this.grab(event));
    this.bug.addEventListener("pointermove", (event) => this.move(event));
    this.bug.addEventListener("pointerup", (event) => this.drop(event));
    this.bug.addEventListener("pointercancel", () => this.letGo());
    this.bug.addEventListener("lostpointercapture", () => this.grip && this.letGo());
  }

  grab(event) {
    if (!this.isUsable || event.button !== 0) return;
    event.preventDefault();
    this.bug.focus();
    this.bug.setPointerCapture(event.pointerId);
    // Beside its middle, as a rule: it is not to jump under the hand.
    this.grip = { x: event.clientX, y: event.clientY, beside: shortestTurn(folded(this.direction), this.under(event)) };
  }

  move(event) {
    if (!this.grip) return;
    this.isDragged ||= Math.hypot(event.clientX - this.grip.x, event.clientY - this.grip.y) > slack;
    if (this.isDragged) this.drag(event);
  }

  drag(event) {
    this.held = folded(Math.round(this.under(event) - this.grip.beside));
    this.redraw();
  }

  drop(event) {
    this.move(event);
    const isMoved = this.isDragged;
    this.isDragged = false;
    this.grip = null;
    if (isMoved) this.command(this.held);
  }

  /** The direction that the hand points to. */
  under(event) {
    return folded(this.dial.directionAt(event.clientX, event.clientY, directionOfPoint));
  }

  letGo() {
    clearTimeout(this.keyTimer);
    this.isDragged = false;
    this.grip = null;
    this.held = this.sentAt = null;
    this.redraw();
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    if (event.key === "Escape") this.letGo();
    if (event.key === "Delete" || event.key === "Backspace") this.command(null);
    const step = steps[event.key];
    if (!step || !this.isUsable) return;
    event.preventDefault();
    this.held = folded(this.start + step);
    this.redraw();
    clearTimeout(this.keyTimer);
    this.keyTimer = setTimeout(() => this.held !== null && this.command(this.held), keyPause);
  }

  nudge(step) {
    if (this.isUsable) this.command(folded(this.start + step));
  }

  /** Where a step begins: from the course to steer, else from the heading. */
  get start() {
    return Math.round(this.held ?? this.confirmed ?? this.heading ?? 0);
  }

  /** `course` in the north that is shown; null: none any more. */
  async command(course) {
    if (!this.isUsable) return this.letGo();
    clearTimeout(this.keyTimer);
    this.held = course;
    this.sentAt = performance.now();
    this.parts.input.value = "";
    this.tell("");
    this.redraw();
    this.sent = { course, reference: this.shownReference };
    const fault = await this.send({ vessel: this.vessel.base, command: "steer", value: course, reference: this.shownReference });
    if (fault) {
      this.held = null;
      this.sentAt = null;
      this.tell(fault);
    }
    this.redraw();
  }

  /** The vessel has said what it steers. What it says of the course before is no answer. */
  confirm(vessel) {
    if (this.isDragged || !this.sentAt) return;
    const { course, reference } = this.sent;
    const told = vessel.steer(reference);
    // Both are rounded to a tenth.
    const isSame = told === null || course === null ? told === course : Math.abs(shortestTurn(course, told)) < 0.11;
    if (isSame) this.held = this.sentAt = null;
  }

  refuse(why) {
    if (!this.sentAt) return;
    this.held = this.sentAt = null;
    this.tell(why);
  }

  tell(note) {
    this.note = note;
    this.redraw();
  }

  /** `course`: what the vessel steers, or null. Returns what is to be marked. */
  update({ vessel, heading, course, reference, reason, isOld }) {
    this.vessel = vessel;
    this.heading = heading;
    this.confirmed = course;
    this.shownReference = reference;
    this.isUsable = reason === null;
    if (this.sentAt && performance.now() - this.sentAt > patience) {
      this.held = this.sentAt = null;
      this.note = "The vessel has not confirmed it.";
    }
    const shown = this.isDragged || this.held !== null ? this.held : this.sentAt ? null : course;
    this.draw(shown, reason);
    this.root.classList.toggle("stale", isOld);
    this.bug.classList.toggle("old", isOld && !this.isDragged);
    return shown;
  }

  draw(course, reason) {
    const { value, error, note, form, input } = this.parts;
    setText(value, course === null ? "–" : `${threeDigits(course)}°`);
    const turn = course === null || this.heading === null ? null : Math.round(shortestTurn(this.heading, course));
    setText(error, turn === null ? "–" : turn === 0 ? "on course" : `${Math.abs(turn)}° ${turn < 0 ? "port" : "stbd"}`);
    set(error, "data-side", turn === null || turn === 0 ? "none" : turn < 0 ? "port" : "starboard");
    setText(note, this.note || reason || "");
    for (const control of form.elements) control.disabled = reason !== null;
    if (document.activeElement !== input) input.placeholder = threeDigits(course ?? this.heading ?? 0);
    show(this.bug, course !== null || reason === null);
    this.bug.classList.toggle("parked", course === null);
    this.bug.classList.toggle("held", this.isDragged);
    this.bug.classList.toggle("fixed", reason !== null);
    const direction = Math.round(course ?? this.heading ?? 0) % 360;
    set(this.bug, "aria-valuenow", direction);
    set(this.bug, "aria-valuetext", course === null ? "none" : `${direction} degrees`);
    set(this.bug, "aria-disabled", reason !== null);
    this.course = course;
  }

  /** Where the bug stands: without a course to steer it is parked at the bow. */
  get direction() {
    return this.course ?? this.dial.shown ?? 0;
  }

  /** With the dial, each frame. */
  animate() {
    const turn = this.dial.rotation === "head" ? this.direction - (this.dial.shown ?? 0) : this.direction;
    set(this.turner, "transform", `rotate(${turn.toFixed(2)})`);
  }
}
