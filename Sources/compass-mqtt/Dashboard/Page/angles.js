// Angles in degrees, clockwise; directions 0 <= a < 360 from north. Pure functions.

/** The same direction in [0, 360). */
export function folded(angle) {
  const rest = angle % 360;
  const positive = rest < 0 ? rest + 360 : rest;
  // -1e-16 + 360 is 360, and -0 is to be 0.
  return positive >= 360 || positive === 0 ? 0 : positive;
}

/** The turn that leads from one direction to another the short way, in [-180, 180). */
export function shortestTurn(from, to) {
  const turn = folded(to - from);
  return turn >= 180 ? turn - 360 : turn;
}

/** `to`, as many whole turns on as lie nearest to `from`, a number on the line. */
export function unwrapped(from, to) {
  return from + shortestTurn(folded(from), to);
}

/** Where a pointer is after `milliseconds` on its way from `shown` to `target`; 95 % of the way after 150 ms. */
export function eased(shown, target, milliseconds) {
  const rest = (target - shown) * Math.exp(-Math.max(0, milliseconds) / 50);
  return Math.abs(rest) < 0.02 ? target : target - rest;
}

/** Three digits, as directions are written: 7.6 is 008, 359.6 is 000. */
export function threeDigits(angle) {
  return String(Math.round(folded(angle)) % 360).padStart(3, "0");
}

const names = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");

/** One of the sixteen points of the compass. */
export function cardinal(angle) {
  return names[Math.round(folded(angle) / 22.5) % 16];
}

const words = { N: "north", E: "east", S: "south", W: "west" };

/** The point in words, for those who listen: "north north-east". */
export function spokenCardinal(angle) {
  return [...cardinal(angle)].map((letter) => words[letter]).join(" ");
}

/** A direction from one north, given from the other. `declination` is positive east; null where it is not known. */
export function fromNorth(direction, from, to, declination) {
  if (from === to) return folded(direction);
  if (declination === null) return null;
  return folded(to === "true" ? direction + declination : direction - declination);
}

/** The direction of a point seen from the middle of a dial, from 12 o'clock on. */
export function directionOfPoint(x, y) {
  return folded((Math.atan2(x, -y) * 180) / Math.PI);
}
