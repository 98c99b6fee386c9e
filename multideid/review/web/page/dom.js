// Elements; text goes into the page as text only.

export const byId = (id) => document.getElementById(id);

/** Makes an element; children are elements or strings. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Shows a name, a label or a piece of a note in the direction of its own letters. */
export const isolated = (text, name = "span", attributes = {}) =>
  make(name, { dir: "auto", ...attributes }, text);

/** Says something to screen readers. */
export function announce(text) {
  const region = byId("announcements");
  // The same words again are otherwise not said.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Marks an element with the colour of a label; the hues of the first labels lie far apart. */
export function colour(element, labels, label) {
  const n = Math.max(labels.indexOf(label), 0);
  element.style.setProperty("--hue", String(Math.round(30 + n * 137.5) % 360));
}
