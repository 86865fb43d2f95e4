// Making and changing SVG elements.

const space = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, parent = null) {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

/** Sets an attribute where it differs, so that nothing is drawn anew for nothing. */
export function set(target, name, value) {
  const text = String(value);
  if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Words, and an age that goes on: where words are read out as they change, it is not. */
export function setAged(target, words, age) {
  if (!target.querySelector("[aria-hidden]")) {
    const line = document.createElement("span");
    const ticking = document.createElement("span");
    ticking.setAttribute("aria-hidden", "true");
    line.append(document.createTextNode(""), ticking);
    target.replaceChildren(line);
  }
  const [spoken, ticking] = target.firstChild.childNodes;
  setText(spoken, words);
  setText(ticking, age);
}

export function show(target, isShown) {
  target.classList.toggle("gone", !isShown);
}

/** A point at `radius` in a direction from 12 o'clock. */
export function point(radius, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
}

/** A piece of a ring, clockwise from one direction to another. */
export function ringPart(inner, outer, from, to) {
  const [start, end] = from <= to ? [from, to] : [to, from];
  const large = end - start > 180 ? 1 : 0;
  return `M${point(outer, start)}A${outer} ${outer} 0 ${large} 1 ${point(outer, end)}`
    + `L${point(inner, end)}A${inner} ${inner} 0 ${large} 0 ${point(inner, start)}Z`;
}
