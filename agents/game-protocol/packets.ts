/** The parts of the game's protocol that status pings and sleeping servers use. Source: Server List Ping. */

/** A number as the protocol writes it: seven bits a byte, the lowest first. */
function number(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.from(bytes);
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
};

/** Fields of a packet. */
export const field = { number, text };

/** A packet with its length before it. */
export const packet = (id: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat([number(id), ...parts]);
  return Buffer.concat([number(body.length), body]);
};

/** A number at `at` and where it ends, or null while it is incomplete. Throws when it is too long. */
export function readNumber(bytes: Buffer, at: number): [value: number, end: number] | null {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return [value >>> 0, at + index + 1];
  }
  throw new Error('not a number of the game protocol');
}
