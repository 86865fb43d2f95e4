// Puts the page together: what comes from the stream goes into the vessel, and from there onto the instruments.

import { Choice, remember, remembered } from "./choices.js";
import { Dial } from "./dial.js";
import { Gauge } from "./gauge.js";
import { Goal } from "./goal.js";
import { Panel } from "./panel.js";
import { fullScaleIn, number, old, speedIn, speedUnits } from "./quantities.js";
import { Steering } from "./steering.js";
import { Stream } from "./stream.js";
import { Strip } from "./strip.js";
import { set, setAged, setText } from "./svg.js";
import { Vessel } from "./vessel.js";
import { advice, commandFault, connectionFault, doubts, linkWords } from "./words.js";

const part = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const dial = new Dial(part("dial"));
const gauge = new Gauge(part("gauge"));
const panel = new Panel(part("readings"));
const strip = new Strip(part("strip"));
const steering = new Steering(dial, part("steer"), send, redraw);
const goal = new Goal(panel.goalButton, part("goal"), send);

const state = {
  vessel: null,
  vessels: [],
  settings: { commands: false, full_scale: 12, speed_unit: "kn", stale_after: 90 },
  isLive: false,
  wasLive: false,
  broker: { connected: false, reason: null },
  /** The dashboard's wall clock less performance.now(), in milliseconds. */
  clock: Date.now() - performance.now(),
  /** The north that the viewer chose; null: the vessel's. */
  north: remembered("north", null),
  unit: remembered("unit", null),
  /** The fastest so far in this page, and since the vessel told its own maximum, in metres a second. */
  most: null,
  mostSinceTold: null,
};

// What comes.

const stream = new Stream(take, (isLive) => {
  state.isLive = isLive;
  state.wasLive ||= isLive;
  redraw();
});

function take(kind, data) {
  const handlers = {
    welcome: () => {
      // Another binary may have another page.
      if (state.settings.version && state.settings.version !== data.version) location.reload();
      state.settings = data;
    },
    sign: () => { state.clock = Date.parse(data) - performance.now(); },
    broker: () => { state.broker = data; },
    vessels: () => { state.vessels = data; showVessels(); },
    vessel: () => chooseVessel(data),
    message: () => takeTopic(data),
  };
  handlers[kind]();
  redraw();
}

function chooseVessel(base) {
  const isAnother = state.vessel?.base !== base;
  // Whatever becomes of it: another vessel is shown, and gets commands, only when a viewer says so.
  stream.keep(base);
  // A new stream brings everything again: what it does not bring is gone.
  state.vessel = new Vessel(base);
  if (isAnother) {
    strip.clear();
    state.most = state.mostSinceTold = null;
    steering.letGo();
    part("goal").close();
  }
  showVessels();
}

function takeTopic(message) {
  const now = performance.now();
  state.vessel?.take(message, now, now + state.clock);
  if (message.topic === "destination") goal.confirm(state.vessel?.has("destination") ? state.vessel.of("destination") : null);
  if (message.topic === "steer") steering.confirm(state.vessel);
  // Not kept by the broker: an old one is about another message.
  if (message.topic === "commands/rejected" && message.age < 2000) showRefusal(state.vessel.of(message.topic));
  if (message.topic === "trip") state.mostSinceTold = null;
  if (message.topic === "speed" && !message.stored) noteSpeed();
}

function showRefusal({ topic, reason }) {
  const words = `The vessel refused it: ${typeof reason === "string" ? reason : "no reason given"}`;
  if (topic === "steer/set") steering.refuse(words);
  if (topic === "destination/set") goal.fail(words);
  if (topic === "trip/set") setAged(part("speed-note"), words, "");
}

function noteSpeed() {
  const speed = speedNow("m/s");
  if (speed === null) return;
  state.most = Math.max(speed, state.most ?? speed);
  state.mostSinceTold = Math.max(speed, state.mostSinceTold ?? speed);
}

/** Posts a command; null, or what went wrong in words. */
async function send(command) {
  try {
    const answer = await fetch("command", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command),
    });
    return answer.ok ? null : `Not sent: ${(await answer.text()).trim()}.`;
  } catch {
    return "Not sent: no connection to the dashboard.";
  }
}

// What a viewer chooses.

function showVessels() {
  const list = part("vessel");
  const bases = state.vessels.map((vessel) => vessel.base);
  const chosen = stream.base;
  if (chosen && !bases.includes(chosen)) bases.push(chosen);
  list.replaceChildren(...bases.map((base) => {
    const option = new Option(nameOf(base, bases), base, false, base === chosen);
    if (!state.vessels.some((vessel) => vessel.base === base && vessel.online)) option.text += " (offline)";
    return option;
  }));
  list.disabled = bases.length === 0;
  if (!bases.length) list.replaceChildren(new Option("No vessel yet"));
  document.title = chosen ? `${nameOf(chosen, bases)} · Compass` : "Compass";
}

/** The last level of the base topic, where that tells it from the others. */
function nameOf(base, bases) {
  const name = base.split("/").at(-1);
  return bases.filter((other) => other.split("/").at(-1) === name).length > 1 ? base : name;
}

part("vessel").addEventListener("change", (event) => {
  remember("vessel", event.target.value);
  stream.follow(event.target.value);
});

const north = new Choice(part("reference"), state.north, (value) => {
  state.north = value;
  remember("north", value);
  strip.clear();
  redraw();
});

const rotation = new Choice(part("rotation"), remembered("rotation", "head"), (value) => {
  dial.rotation = value;
  remember("rotation", value);
  redraw();
});
dial.rotation = remembered("rotation", "head");

function applyTheme(value) {
  if (value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
  strip.draw();
}
new Choice(part("theme"), remembered("theme", "auto"), (value) => {
  remember("theme", value);
  applyTheme(value);
});
applyTheme(remembered("theme", "auto"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => strip.draw());

for (const unit of speedUnits) part("unit").append(new Option(unit, unit));
part("unit").addEventListener("change", (event) => {
  state.unit = event.target.value;
  remember("unit", state.unit);
  redraw();
});

// The vessel's maximum goes with its trip, for everybody: that is asked twice.
part("speed-reset").addEventListener("click", async () => {
  if (tripMost() !== null && !state.isResetAsked) return askReset(true);
  askReset(false);
  const fault = tripMost() === null ? null : commandFault(state) ?? await send({ vessel: state.vessel.base, command: "trip" });
  if (fault === null) state.most = speedNow("m/s");
  setAged(part("speed-note"), fault ?? "", "");
  redraw();
});

function askReset(isAsked) {
  clearTimeout(state.resetTimer);
  state.isResetAsked = isAsked;
  if (isAsked) state.resetTimer = setTimeout(() => askReset(false), 4000);
  setText(part("speed-reset"), isAsked ? "Trip too?" : "Reset");
}

// What is shown.

const speedUnit = () => state.unit ?? state.settings.speed_unit;

function speedNow(unit) {
  const speed = state.vessel?.value("speed") ?? null;
  return speed === null ? null : speedIn(speed, state.vessel.of("speed").unit, unit);
}

/** Whether commands are part of this page, though none may go through right now. */
const isCommanded = () => state.settings.commands && (state.vessel?.takesCommands ?? false);

/** The maximum that the vessel keeps, in the unit shown. */
function tripMost() {
  const trip = state.vessel?.of("trip") ?? {};
  const most = number(trip.max_speed);
  if (most === null) return null;
  const told = speedIn(most, trip.speed_unit, speedUnit());
  return told === null || state.mostSinceTold === null ? told : Math.max(told, speedIn(state.mostSinceTold, "m/s", speedUnit()));
}

function showLink(now) {
  const [kind, words, ticking = ""] = linkWords(state, state.vessel?.age("status", now) ?? null);
  setAged(part("link"), words, ticking);
  set(part("link"), "data-state", kind);
}

function render() {
  const now = performance.now();
  showLink(now);
  const vessel = state.vessel ?? new Vessel("");
  const limit = state.settings.stale_after;
  const fault = state.vessel ? connectionFault(state) : null;
  const doubt = (topic) => fault ?? vessel.doubt(topic, now, limit);
  const age = (topic) => vessel.age(topic, now);
  const wanted = state.north ?? vessel.reference;
  const heading = vessel.heading(wanted);
  const marks = vessel.marks(heading.reference);
  const headingDoubt = heading.value === null ? null : doubt(heading.topic);
  north.show(wanted);
  const steer = steering.update({
    vessel, heading: heading.value, course: marks.steer, reference: heading.reference, reason: commandFault(state),
    isOld: marks.steer !== null && (headingDoubt ?? doubt("steer")) !== null,
  });
  goal.update({ vessel, isOffered: isCommanded(), reason: commandFault(state) });
  dial.update({
    heading: heading.value, reference: heading.reference, accuracy: number(vessel.of(heading.topic).accuracy),
    marks: { ...marks, steer }, doubt: headingDoubt, isFallback: wanted !== heading.reference,
    isOld: (topic) => (headingDoubt ?? doubt(topic)) !== null,
  });
  showAdvice(headingDoubt, headingDoubt ? age(heading.topic) : null, state.vessel ? advice(vessel, heading, wanted) : "");
  renderSpeed(doubt, age);
  panel.update(vessel, { marks, reference: heading.reference, unit: speedUnit(), doubt, age });
  const isCurrent = state.vessel && headingDoubt === null;
  strip.show(speedUnit(), speedIn(1, "m/s", speedUnit()));
  strip.sample(now, isCurrent ? heading.value : null, doubt("speed") === null ? speedNow("m/s") : null);
}

/** Under the dial: why the heading is old, else what is to be done. */
function showAdvice(doubt, age, words) {
  if (doubt) setAged(part("advice"), doubts[doubt].words, `: heading ${old(age)}`);
  else setAged(part("advice"), words, "");
  part("advice").classList.toggle("alarm", doubt !== null);
}

function renderSpeed(doubt, age) {
  const unit = speedUnit();
  part("unit").value = unit;
  gauge.setScale(fullScaleIn(state.settings.full_scale, state.settings.speed_unit, unit));
  const most = tripMost() ?? (state.most === null ? null : speedIn(state.most, "m/s", unit));
  const value = speedNow(unit);
  const speedDoubt = value === null ? null : doubt("speed");
  gauge.update({ value, unit, most, doubt: speedDoubt });
  part("speed-reset").disabled = tripMost() !== null && commandFault(state) !== null;
  setText(part("speed-most"), most === null ? "–" : `${most.toFixed(1)} ${unit}`);
  if (speedDoubt) setAged(part("speed-note"), doubts[speedDoubt].words, `: speed ${old(age("speed"))}`);
  else if (state.speedDoubt) setAged(part("speed-note"), "", "");
  state.speedDoubt = speedDoubt;
}

// Frames are drawn while something is new or under way, and no longer.

let isDue = false;
let isAsked = false;
let lastFrame = 0;

function redraw() {
  isDue = true;
  ask();
}

function ask() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(frame);
}

function frame(time) {
  isAsked = false;
  // After a rest the first frame is not as long as the rest was.
  const passed = Math.min(100, lastFrame ? time - lastFrame : 16);
  if (isDue) {
    isDue = false;
    render();
  }
  const moving = [dial, gauge, panel].map((instrument) => instrument.animate(passed, calm.matches));
  steering.animate();
  lastFrame = moving.some(Boolean) ? time : 0;
  if (lastFrame) ask();
}

setInterval(redraw, 1000);
stream.follow(remembered("vessel", null));
render();
// Shown when every part is in its place, so that none moves.
document.body.classList.remove("unready");
