// What is known of one vessel: its topics, and whether they can be trusted. Knows nothing of the page. Times are
// milliseconds of performance.now().

import { fromNorth } from "./angles.js";
import { number } from "./quantities.js";

// Whose status says whether a topic is current.
const sources = {
  "heading": "magnetometer", "heading/magnetic": "magnetometer", "heading/true": "magnetometer",
  "rate_of_turn": "magnetometer", "field": "magnetometer", "steer": "magnetometer",
  "roll": "accelerometer", "pitch": "accelerometer",
  "speed": "gps", "course": "gps", "position": "gps", "destination": "gps", "trip": "gps",
};

// Two clocks of one vessel agree so far, in milliseconds.
const clockTolerance = 2000;

export class Vessel {
  constructor(base) {
    this.base = base;
    this.topics = new Map();
  }

  /** `age` and `stored` as the stream tells; `serverTime`: the dashboard's wall clock in milliseconds. */
  take({ topic, payload, age, stored }, now, serverTime) {
    if (payload === null) {
      this.topics.delete(topic);
      return;
    }
    const members = parsed(payload);
    const told = Date.parse(members?.time);
    const measured = stored && Number.isFinite(told) ? serverTime - told : 0;
    // Kept by the broker from a time that by the dashboard's clock is still to come: it may be of any age.
    const isUnknown = measured < -clockTolerance;
    this.topics.set(topic, { text: payload, members, at: isUnknown ? -Infinity : now - Math.max(age, measured, 0) });
  }

  /** A payload's members; an empty object where there is no such topic or it is no object. */
  of(topic) {
    return this.topics.get(topic)?.members ?? {};
  }

  has(topic) {
    return this.topics.has(topic);
  }

  /** Plain text, as statuses are. */
  text(topic) {
    return this.topics.get(topic)?.text ?? null;
  }

  value(topic) {
    return number(this.of(topic).value);
  }

  /** Seconds since the topic was last sent; null where there is none. */
  age(topic, now) {
    const entry = this.topics.get(topic);
    return entry ? (now - entry.at) / 1000 : null;
  }

  /** Its agent, or the link to it: whatever is said of them, only one word means that they are there. */
  get isOffline() {
    return this.text("status") !== "online";
  }

  /** Why a topic is not current, one of the `doubts` in words.js; null: it is. */
  doubt(topic, now, limit) {
    if (this.isOffline) return "vessel";
    const source = sources[topic];
    if (source && this.text(`${source}/status`) === "offline") return source;
    const age = this.age(topic, now);
    return age !== null && age > limit ? "silence" : null;
  }

  get takesCommands() {
    const counts = this.of("diagnostics").commands;
    return typeof counts === "object" && counts !== null;
  }

  get declination() {
    return number(this.of("heading/true").declination) ?? this.value("declination");
  }

  /** The north that the vessel itself reckons from, which commands refer to. */
  get reference() {
    const told = this.text("reference") ?? this.of("heading").reference;
    return told === "magnetic" ? "magnetic" : "true";
  }

  /** The heading from the north asked for; where that is not known, from magnetic north. */
  heading(wanted) {
    const topic = wanted === "true" ? "heading/true" : "heading/magnetic";
    const value = this.value(topic);
    if (value !== null) return { value, topic, reference: wanted };
    // An agent may send the combined topic alone.
    const shown = this.of("heading");
    if (shown.reference === wanted && this.value("heading") !== null) {
      return { value: this.value("heading"), topic: "heading", reference: wanted };
    }
    return wanted === "true" ? this.heading("magnetic") : { value: null, topic, reference: "magnetic" };
  }

  /** A direction counted from another north; null where it, or the declination that this takes, is not known. */
  turned(direction, from, to) {
    return direction === null ? null : fromNorth(direction, from, to, this.declination);
  }

  /** The course to steer from the north asked for; null where there is none, or it is not known from there. */
  steer(wanted) {
    return this.turned(this.value("steer"), this.of("steer").reference === "magnetic" ? "magnetic" : "true", wanted);
  }

  /** Directions to be marked on a rose that shows `reference`; null for each that is not known. */
  marks(reference) {
    const goal = this.of("destination");
    const magnetic = number(goal.bearing_magnetic);
    return {
      course: this.turned(this.value("course"), "true", reference),
      bearing: reference === "magnetic" && magnetic !== null ? magnetic : this.turned(number(goal.bearing), "true", reference),
      steer: this.steer(reference),
    };
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
