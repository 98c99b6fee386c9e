// The server counts characters (code points), JavaScript UTF-16 units: an emoji is one
// character and two units. Nothing else of the page knows of this difference.

/** Returns how many numbers of a sorted array are below a value. */
export function countBelow(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Offsets {
  constructor(text) {
    this.units = [];
    this.points = [];
    for (const pair of text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
      this.points.push(pair.index - this.units.length);
      this.units.push(pair.index);
    }
  }

  /** Returns the offset in UTF-16 units of an offset in characters. */
  toUnits(point) {
    return point + countBelow(this.points, point);
  }

  /** Returns the offset in characters of an offset in UTF-16 units. */
  toPoints(unit) {
    return unit - countBelow(this.units, unit);
  }
}
