// What the page says of the whole: how the connections stand, and what is to be done. Knows nothing of the page.

import { span } from "./quantities.js";

/** Why something is not current. */
export const doubts = {
  connecting: { words: "Connecting", brief: "connecting" },
  dashboard: { words: "No connection to the dashboard", brief: "no connection" },
  broker: { words: "The broker is not connected", brief: "no broker" },
  vessel: { words: "The vessel is offline", brief: "offline" },
  magnetometer: { words: "The magnetometer is offline", brief: "sensor offline" },
  accelerometer: { words: "The accelerometer is offline", brief: "sensor offline" },
  gps: { words: "The GPS receiver is offline", brief: "GPS offline" },
  silence: { words: "No news", brief: "no news" },
};

/** [state, words, for how long] for the line at the top; `state`: isLive, wasLive, broker and vessel; `age`: of the vessel's status, in seconds or null. */
export function linkWords({ isLive, wasLive, broker, vessel }, age) {
  if (!isLive) return wasLive ? ["lost", "No connection to the dashboard, trying again …"] : ["waiting", "Connecting …"];
  if (!broker.connected) return ["lost", `No connection to the broker${broker.reason ? `: ${broker.reason}` : " yet"}`];
  if (!vessel) return ["waiting", "No vessel yet: waiting for its topics"];
  if (!vessel.has("status")) return ["lost", "No word of the vessel"];
  if (vessel.isOffline) return ["lost", "Offline", age > 1 ? ` for ${span(age)}` : ""];
  return ["live", "Live"];
}

/** Why nothing shown is current, one of the `doubts`; null: it may be. */
export function connectionFault({ isLive, wasLive, broker }) {
  if (!isLive) return wasLive ? "dashboard" : "connecting";
  return broker.connected ? null : "broker";
}

/** Why no command can be given; null: one can. */
export function commandFault({ settings, vessel, ...state }) {
  if (!settings.commands) return "Commands are off in the dashboard's settings.";
  if (!vessel) return "No vessel yet.";
  if (connectionFault(state) !== null || vessel.isOffline) return "Not connected.";
  return vessel.takesCommands ? null : "The vessel takes no commands.";
}

/** What stands under the dial. `heading`: as it is shown; `wanted`: the north that was asked for. */
export function advice(vessel, heading, wanted) {
  const words = [];
  const quality = vessel.of("heading/magnetic").quality ?? vessel.of("heading").quality;
  const calibration = vessel.of("calibration");
  if (heading.value === null) {
    words.push(vessel.text("magnetometer/status") === "offline" ? "The magnetometer is offline" : "No heading yet");
  } else if (quality === "uncalibrated") {
    words.push("Not calibrated: run compass-mqtt calibrate");
  } else if (vessel.of("field").interference === true || quality === "degraded" || quality === "bad") {
    words.push("Move away from metal objects");
  }
  if (wanted === "true" && heading.value !== null && heading.reference === "magnetic") {
    words.push("True north is not known: showing magnetic");
  }
  if (calibration.state === "collecting" && typeof calibration.hint === "string") words.push(calibration.hint);
  return words.join(" · ");
}
