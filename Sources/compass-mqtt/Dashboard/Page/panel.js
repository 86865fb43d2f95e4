// The readings beside the instruments: a title, a figure, a line below, and how old they are.

import { Attitude } from "./attitude.js";
import { threeDigits } from "./angles.js";
import { coordinate, decimal, distanceText, number, old, span, speedIn } from "./quantities.js";
import { element, setText } from "./svg.js";
import { doubts } from "./words.js";

const glyphs = {
  course: { kind: "mark-course", d: "M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8ZM0-3.5A3.5 3.5 0 1 0 0 3.5A3.5 3.5 0 1 0 0-3.5Z" },
  destination: { kind: "mark-bearing", d: "M0-9L7 0L0 9L-7 0Z" },
};

class Card {
  constructor(parent, id, title, { glyph, attitude } = {}) {
    this.root = document.createElement("article");
    this.root.className = "card reading";
    this.root.id = id;
    const heading = this.add("h2", "", this.root);
    if (glyph) {
      const svg = element("svg", { class: "glyph", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, heading);
      element("path", { class: glyph.kind, d: glyph.d }, svg);
    }
    heading.append(title);
    this.title = heading.lastChild;
    this.value = this.add("p", "figure", this.root);
    this.below = this.add("p", "below", this.root);
    this.age = this.add("p", "age", this.root);
    if (attitude) {
      this.attitude = new Attitude(attitude, this.root);
      this.root.classList.add("leaning");
    }
    parent.append(this.root);
  }

  add(name, kind, parent) {
    const made = document.createElement(name);
    made.className = kind;
    parent.append(made);
    return made;
  }

  /** In the corner; `name`: what it does, in full. */
  addButton(id, text, name) {
    const button = this.add("button", "corner gone", this.root);
    Object.assign(button, { id, type: "button", textContent: text });
    button.setAttribute("aria-label", name);
    return button;
  }

  show(value, below, doubt, age) {
    setText(this.value, value);
    setText(this.below, below);
    this.root.classList.toggle("aged", doubt !== null);
    // The age first: where there is little room, the reason may be cut.
    setText(this.age, doubt ? `${old(age)}, ${doubts[doubt].brief}` : "");
    this.age.title = doubt ? doubts[doubt].words : "";
    this.root.classList.toggle("stale", doubt !== null);
  }
}

export class Panel {
  constructor(parent) {
    this.course = new Card(parent, "course", "Course (COG)", { glyph: glyphs.course });
    this.rate = new Card(parent, "rate", "Rate of turn");
    this.roll = new Card(parent, "roll", "Heel", { attitude: "roll" });
    this.pitch = new Card(parent, "pitch", "Trim", { attitude: "pitch" });
    this.destination = new Card(parent, "destination", "Destination", { glyph: glyphs.destination });
    this.goalButton = this.destination.addButton("goal-open", "Set", "Set the destination");
    this.arrival = new Card(parent, "arrival", "Time to go");
    this.position = new Card(parent, "position", "Position");
    this.position.root.classList.add("wide");
    this.trip = new Card(parent, "trip", "Trip");
    this.declination = new Card(parent, "declination", "Declination");
  }

  /** `doubt(topic)`: why it is not current, or null; `age(topic)`: seconds or null. */
  update(vessel, { marks, reference, unit, doubt, age }) {
    const letter = reference === "true" ? "T" : "M";
    const show = (card, topic, value, below) => card.show(value, below, vessel.has(topic) ? doubt(topic) : null, age(topic));
    const direction = (value) => (value === null ? "–" : `${threeDigits(value)}° ${letter}`);
    const accuracy = (topic, places, unit) => {
      const half = number(vessel.of(topic).accuracy);
      return half === null ? "" : `± ${decimal(half, places)}${unit}`;
    };
    show(this.course, "course", direction(marks.course), accuracy("course", 0, "°"));
    const rate = vessel.value("rate_of_turn");
    show(this.rate, "rate_of_turn", rate === null ? "–" : `${Math.abs(Math.round(rate))}°/min`, side(rate, "port", "starboard", 1));
    const roll = vessel.value("roll");
    show(this.roll, "roll", roll === null ? "–" : `${Math.abs(Math.round(roll))}°`, side(roll, "to port", "to starboard", 0.5));
    this.roll.attitude.update(roll);
    const pitch = vessel.value("pitch");
    show(this.pitch, "pitch", pitch === null ? "–" : `${Math.abs(Math.round(pitch))}°`, side(pitch, "by the bow", "by the stern", 0.5));
    this.pitch.attitude.update(pitch);
    this.showDestination(vessel, show, direction(marks.bearing), unit);
    this.showPosition(vessel.of("position"), show);
    this.showTrip(vessel.of("trip"), show);
    const declination = vessel.value("declination");
    show(this.declination, "declination", declination === null ? "–" : `${decimal(Math.abs(declination), 1)}° ${declination < 0 ? "W" : "E"}`,
      text(vessel.of("declination").source));
  }

  showDestination(vessel, show, bearing, unit) {
    const goal = vessel.of("destination");
    const distance = number(goal.distance);
    const name = typeof goal.name === "string" && goal.name.trim() ? goal.name : "Destination";
    setText(this.destination.title, vessel.has("destination") ? name : "Destination");
    show(this.destination, "destination", distance === null ? "–" : `${distanceText(distance)} ${text(goal.distance_unit)}`,
      distance === null ? "none set" : goal.arrived === true ? "arrived" : `bearing ${bearing}`);
    const made = number(goal.velocity_made_good);
    const shown = made === null ? null : speedIn(made, goal.speed_unit, unit);
    show(this.arrival, "destination", span(number(goal.time_to_go)), shown === null ? "" : `${decimal(shown, 1)} ${unit} made good`);
  }

  showPosition(place, show) {
    const [latitude, longitude] = [number(place.latitude), number(place.longitude)];
    const fix = { "2d": "2D fix", "3d": "3D fix" }[place.fix] ?? "no fix";
    const parts = [fix];
    if (number(place.satellites) !== null) parts.push(`${place.satellites} satellites`);
    if (number(place.gps_accuracy) !== null) parts.push(`± ${decimal(place.gps_accuracy, 0)} m`);
    show(this.position, "position", latitude === null || longitude === null ? "–"
      : `${coordinate(latitude, 2, "NS")}\n${coordinate(longitude, 3, "EW")}`, parts.join(" · "));
  }

  showTrip(trip, show) {
    const distance = number(trip.value);
    const since = Date.parse(trip.since);
    show(this.trip, "trip", distance === null ? "–" : `${distanceText(distance)} ${text(trip.unit)}`,
      Number.isFinite(since) ? `since ${moment(new Date(since))}` : "");
  }

  animate(milliseconds, isCalm) {
    const [roll, pitch] = [this.roll, this.pitch].map((card) => card.attitude.animate(milliseconds, isCalm));
    return roll || pitch;
  }
}

function side(value, negative, positive, least) {
  if (value === null || Math.abs(value) < least) return "";
  return value < 0 ? negative : positive;
}

/** The time where it is of today, else the day. */
function moment(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString([], isToday ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { day: "numeric", month: "short" });
}

function text(value) {
  return typeof value === "string" ? value : "";
}
