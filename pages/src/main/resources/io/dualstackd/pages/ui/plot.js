// Draws plots as SVG: a line without axes, and points over time.

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element with attributes and text. */
function svg(name, attributes, text = '') {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.textContent = text;
  return element;
}

/** A line through values, the newest on the right, with room for `room` of them. */
export function spark(values, room) {
  const picture = svg('svg', { class: 'spark', viewBox: '0 0 100 22', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const top = Math.max(1, ...values);
  const path = values
    .map((value, i) => `${i ? 'L' : 'M'}${(100 * (room - values.length + i)) / (room - 1)} ${21 - (20 * value) / top}`)
    .join('');
  picture.append(svg('path', { d: path }));
  return picture;
}

/**
 * Ranges over time, on a logarithmic scale: a line from the least to the most, with a point at the most.
 *
 * @param ranges of {at, least, most, what}, times in milliseconds since 1970
 * @param from, to the time shown
 */
export function ranges(ranges, from, to) {
  const picture = svg('svg', { viewBox: '0 0 600 150', role: 'img', 'aria-label': 'Time from change to kernel' });
  const y = (ms) => 130 - (120 * (Math.log10(Math.min(10000, Math.max(0.1, ms))) + 1)) / 5;
  for (const ms of [0.1, 1, 10, 100, 1000, 10000]) {
    picture.append(svg('line', { x1: 50, x2: 600, y1: y(ms), y2: y(ms) }));
    picture.append(svg('text', { x: 0, y: y(ms) + 4 }, ms < 1000 ? `${ms} ms` : `${ms / 1000} s`));
  }
  for (const range of ranges) {
    const x = 50 + (545 * (range.at - from)) / (to - from);
    const dot = svg('circle', { cx: x, cy: y(range.most), r: 3 });
    dot.append(svg('title', {}, `${new Date(range.at).toLocaleTimeString()}  ${range.what}`));
    picture.append(svg('line', { class: 'range', x1: x, x2: x, y1: y(range.least), y2: y(range.most) }), dot);
  }
  picture.append(svg('text', { x: 50, y: 147 }, new Date(from).toLocaleTimeString()));
  picture.append(svg('text', { x: 590, y: 147, 'text-anchor': 'end' }, new Date(to).toLocaleTimeString()));
  return picture;
}
