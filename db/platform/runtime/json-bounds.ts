/** Deeper than anything that we read, and flat enough to be parsed at once. */
const max_depth = 64;

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [brackets_open, brackets_close] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])];

/**
 * Why a text of JSON is not parsed: more than 64 levels, or more than `max_fields`; null where it may be. A mebibyte of nested
 * brackets takes the parser a sixth of a second, in which nobody else is answered; this reads each character once.
 */
export function whyTooMuchJson(text: string, max_fields = Number.POSITIVE_INFINITY): string | null {
  let depth = 0;
  let fields = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    // what stands in texts does not count
    if (sign === quote) at = endOfText(text, at);
    else if (sign === colon) fields += 1;
    else if (brackets_open.has(sign)) depth += 1;
    else if (brackets_close.has(sign)) depth -= 1;
    if (depth > max_depth) return `has more than ${max_depth} levels`;
    if (fields > max_fields) return `has more than ${max_fields} fields`;
  }
  return null;
}

/** Where the text that begins at `start` ends. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
