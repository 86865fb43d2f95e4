// The destination: a form over the page, and the way to the vessel.

import { coordinate, number, readCoordinate } from "./quantities.js";
import { setText, show } from "./svg.js";

// How long a vessel may take to confirm.
const patience = 4000;
const longestName = 100;

export class Goal {
  /** `send(command)` returns a promise of null or of what went wrong, in words. */
  constructor(button, dialog, send) {
    this.button = button;
    this.dialog = dialog;
    this.send = send;
    this.parts = Object.fromEntries(["form", "name", "latitude", "longitude", "clear", "cancel", "note"]
      .map((name) => [name, dialog.querySelector(`#goal-${name}`)]));
    /** What the vessel has yet to confirm; null: nothing. */
    this.sent = null;
    this.listen();
  }

  listen() {
    const { form, clear, cancel } = this.parts;
    this.button.addEventListener("click", () => this.open());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    clear.addEventListener("click", () => this.command({ value: null }));
    cancel.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.forget());
  }

  open() {
    const { name, latitude, longitude } = this.parts;
    const goal = this.vessel.of("destination");
    name.value = typeof goal.name === "string" ? goal.name : "";
    this.fill(latitude, number(goal.latitude), 2, "NS");
    this.fill(longitude, number(goal.longitude), 3, "EW");
    this.tell("");
    this.dialog.showModal();
  }

  /** What is shown is rounded: what nobody changes is sent as it came. */
  fill(field, value, digits, letters) {
    field.value = value === null ? "" : coordinate(value, digits, letters);
    field.given = { text: field.value, value };
    field.removeAttribute("aria-invalid");
  }

  submit() {
    const { name, latitude, longitude } = this.parts;
    const place = { latitude: this.read(latitude, 90, "NS"), longitude: this.read(longitude, 180, "EW") };
    if (place.latitude === null) return this.refuse(latitude, "A latitude is 0 to 90 degrees, N or S.");
    if (place.longitude === null) return this.refuse(longitude, "A longitude is 0 to 180 degrees, E or W.");
    if ([...name.value].length > longestName) return this.refuse(name, `A name has up to ${longestName} characters.`);
    return this.command({ ...place, name: name.value.trim() });
  }

  read(field, limit, letters) {
    field.removeAttribute("aria-invalid");
    return field.value === field.given.text && field.given.value !== null
      ? field.given.value : readCoordinate(field.value, limit, letters);
  }

  refuse(field, why) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
    this.tell(why);
  }

  async command(wanted) {
    if (this.reason !== null) return this.tell(this.reason);
    this.tell("Sent: waiting for the vessel …");
    this.sent = { ...wanted, at: performance.now() };
    const fault = await this.send({ vessel: this.vessel.base, command: "destination", ...wanted });
    if (fault) this.fail(fault);
  }

  /** The vessel has said what its destination is; null: none. */
  confirm(goal) {
    if (!this.sent) return;
    const isNear = (one, other) => Math.abs(one - other) < 1e-6;
    const isSame = this.sent.value === null || goal === null ? this.sent.value === null && goal === null
      : isNear(goal.latitude, this.sent.latitude) && isNear(goal.longitude, this.sent.longitude) && (goal.name ?? "") === this.sent.name;
    if (isSame) this.dialog.close();
  }

  fail(why) {
    if (!this.sent) return;
    this.sent = null;
    this.tell(why);
  }

  forget() {
    this.sent = null;
  }

  tell(note) {
    setText(this.parts.note, note);
  }

  /** `reason`: why no command can be given, or null. */
  update({ vessel, isOffered, reason }) {
    this.vessel = vessel;
    this.reason = reason;
    show(this.button, isOffered);
    this.button.parentElement.classList.toggle("cornered", isOffered);
    this.button.disabled = reason !== null;
    this.parts.clear.disabled = !vessel.has("destination");
    if (this.sent && performance.now() - this.sent.at > patience) this.fail("The vessel has not confirmed it.");
  }
}
