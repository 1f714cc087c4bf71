/**
 * Names of files as text, whatever bytes they are: Linux takes any, archives have those of other systems. Bytes that are no UTF-8
 * become characters for private use, U+EF80 to U+EFFF, one for each; names that have such characters themselves are written that
 * way too, so that every name has exactly one text and back. People see the replacement character instead.
 */
const first = 0xef00;
const has_raw = /[\uef80-\uefff]/;
const every_raw = /[\uef80-\uefff]/g;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();

/** The text of a name. */
export function nameOfBytes(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes('\ufffd') && !has_raw.test(text)) return text;
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    name += character ?? String.fromCharCode(first + bytes[at]!);
    at += character === null ? 1 : encoder.encode(character).length;
  }
  return name;
}

/** The valid character that begins at a byte; null for a byte that has to be kept as it is. */
function characterAt(bytes: Uint8Array, at: number): string | null {
  const lead = bytes[at]!;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  try {
    const character = strict.decode(bytes.subarray(at, at + length));
    return has_raw.test(character) ? null : character;
  } catch {
    return null;
  }
}

/** Whether a name has bytes that are no UTF-8. */
export const isRawName = (name: string): boolean => has_raw.test(name);

/** The bytes of a name. */
export function bytesOfName(name: string): Uint8Array {
  const parts = name.split(/([\uef80-\uefff])/);
  const bytes = parts.map((part) =>
    has_raw.test(part) ? new Uint8Array([part.charCodeAt(0) - first]) : encoder.encode(part),
  );
  const all = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether this is the one text of its bytes: others of the same bytes would pass checks of what they contain. */
export const isOwnName = (name: string): boolean =>
  !has_raw.test(name) || nameOfBytes(bytesOfName(name)) === name;

/** How many bytes a name has. */
export const byteLengthOfName = (name: string): number =>
  encoder.encode(name).length - 2 * (name.match(every_raw)?.length ?? 0);

/** A name for people: what cannot be read is the replacement character. */
export const readableName = (name: string): string => name.replace(every_raw, '\ufffd');
