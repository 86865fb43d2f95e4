// Numbers with units, and how they are written. Pure functions.

export const speedUnits = ["kn", "m/s", "km/h", "mph"];
const metresASecond = { "kn": 1852 / 3600, "m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704 };

/** A speed in another unit; null where one of the units is not known. */
export function speedIn(value, from, to) {
  if (from === to) return value;
  const factor = metresASecond[from] / metresASecond[to];
  return Number.isFinite(factor) ? value * factor : null;
}

/** A number from a payload; null for whatever is none, or none that an instrument can show. */
export function number(value) {
  return typeof value === "number" && Math.abs(value) < 1e9 ? value : null;
}

/** Fixed decimals with a real minus, never -0; a dash for null. */
export function decimal(value, places) {
  if (value === null) return "–";
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** 3 significant figures or so: 0.42, 4.2, 42, 420. */
export function distanceText(value) {
  if (value === null) return "–";
  return decimal(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** Degrees and minutes with a letter: 50°18.015′ N. */
export function coordinate(value, digits, letters) {
  if (value === null) return "–";
  let minutes = Math.round(Math.abs(value) * 60000);
  const degrees = Math.floor(minutes / 60000);
  minutes = (minutes - degrees * 60000) / 1000;
  const letter = letters[value < 0 ? 1 : 0];
  return `${String(degrees).padStart(digits, "0")}°${minutes.toFixed(3).padStart(6, "0")}′ ${letter}`;
}

const coordinateForm = /^([NSEW]?)\s*([-+]?)(\d+(?:\.\d*)?)(?:[°\s]+(\d+(?:\.\d*)?)(?:['′’\s]+(\d+(?:\.\d*)?)["″”]?)?)?[°'′’\s]*([NSEW]?)$/;

/** Degrees from text: -4.6357, 4.6357 W, 4°38.142′ W, 4 38 8.5 W; null where it is none, or beyond `limit`. `letters`: NS or EW. */
export function readCoordinate(text, limit, letters) {
  const plain = text.trim().toUpperCase().replace("−", "-").replaceAll(",", ".");
  const [, before, sign, degrees, minutes = "0", seconds = "0", after] = coordinateForm.exec(plain) ?? [];
  const letter = before || after;
  if (degrees === undefined || (before && after) || (letter && (sign || !letters.includes(letter)))) return null;
  const isPlain = (minutes === "0" || !degrees.includes(".")) && (seconds === "0" || !minutes.includes("."));
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  if (!isPlain || minutes >= 60 || seconds >= 60 || value > limit) return null;
  return sign === "-" || letter === letters[1] ? -value : value;
}

/** A span of time in the two units that matter: 12 s, 3 min, 2 h 05 min. */
export function span(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return `${whole} s`;
  if (whole < 5400) return `${Math.round(whole / 60)} min`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")} min`;
  return `${Math.floor(whole / 86400)} days`;
}

/** How old something is, in words; `seconds` may be infinite. */
export function old(seconds) {
  return seconds === Infinity ? "age unknown" : `${span(seconds)} old`;
}

/** Steps of 1, 2 or 5 times a power of ten, so that about `count` of them fill the range. */
export function niceStep(range, count) {
  const rough = range / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.99);
}

/** Where a speedometer ends in another unit than the settings': the next round number. */
export function fullScaleIn(value, from, to) {
  if (from === to) return value;
  const converted = speedIn(value, from, to);
  const step = niceStep(converted, 10);
  return Math.ceil(converted / step - 0.01) * step;
}
