const extension = 0x21;
const picture = 0x2c;
const trailer = 0x3b;
const comment_label = 0xfe;
const application_label = 0xff;
const head_bytes = 13;
/** More than any animation has. */
const max_blocks = 50_000;

/** How often an animation repeats. */
const loops = /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/;

/** A GIF without comments, XMP and other notes of programs, and without what comes after its end. Throws when it is no GIF. */
export function gifWithoutMetadata(bytes: Buffer): Buffer {
  let at = head_bytes + tableBytes(bytes[10]!);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  for (let blocks = 0; blocks < max_blocks; blocks += 1) {
    const block = bytes[at];
    if (block === undefined) return Buffer.concat(kept); // cut off, as decoders allow
    if (block === trailer) return Buffer.concat([...kept, bytes.subarray(at, at + 1)]);
    let end: number;
    if (block === picture) end = afterParts(bytes, at + 10 + tableBytes(bytes[at + 9]!) + 1);
    else if (block === extension) end = afterParts(bytes, at + 2);
    else throw new Error('no block');
    const drops =
      block === extension &&
      (bytes[at + 1] === comment_label ||
        (bytes[at + 1] === application_label && !loops.test(bytes.toString('latin1', at + 3, at + 14))));
    if (!drops) kept.push(bytes.subarray(at, end));
    at = end;
  }
  throw new Error('too many blocks');
}

/** Bytes of the colours that a byte of flags announces. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Where the parts that begin at `at` end: each has its length before it, the last is empty. */
function afterParts(bytes: Buffer, at: number): number {
  for (let next = at; next < bytes.length; ) {
    const length = bytes[next]!;
    next += 1 + length;
    if (length === 0) return next;
  }
  throw new Error('no end');
}
