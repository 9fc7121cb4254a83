// The page's data: JSON in one element, arrays of numbers in others, decoded when first asked for.

const KINDS = { f4: Float32Array, f8: Float64Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array };
const DATA = JSON.parse(document.getElementById('data').textContent);
const decoded = new Map();
let bufferText = (number) => document.getElementById(`buffer-${number}`).textContent;

/** Return the numbers that a reference stands for, as a typed array; scaled and moved where it says so. */
function numbers(ref) {
  if (!ref) return null;
  if (decoded.has(ref)) return decoded.get(ref);
  const text = atob(bufferText(ref.buffer));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  let values = new KINDS[ref.kind](bytes.buffer);
  if (ref.offset !== undefined) values = Float64Array.from(values, (value) => value + ref.offset);
  decoded.set(ref, values);
  return values;
}

/** Return the row whose time is the last at or before t, and how far t is towards the next. */
function placeIn(times, t) {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || t <= times[0]) return [0, 0];
  if (t >= times[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return [low, span > 0 ? (t - times[low]) / span : 0];
}

/** Return a number in four digits with its unit, in the prefix that suits it. */
function inWords(value, unit) {
  if (value === null || !Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  const prefixed = unit && /^(N|N m|W|J|kg m\/s|kg m2\/s)$/.test(unit);
  if (prefixed && size >= 1e3) {
    const [factor, prefix] = size >= 1e9 ? [1e9, 'G'] : size >= 1e6 ? [1e6, 'M'] : [1e3, 'k'];
    return `${rounded(value / factor)} ${prefix}${unit}`;
  }
  return rounded(value) + (unit ? ` ${unit}` : '');
}

function rounded(value) {
  if (value === null || !Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e6) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Return an element with text and attributes; text is never read as markup. */
function made(tag, attributes = {}, ...inner) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const one of inner) element.append(one);
  return element;
}
