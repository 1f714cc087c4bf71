import { createHash, type Hash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** One moment for every entry, so that the same project always gives the same bytes: 2024-01-01, in MS-DOS format. */
const dos_date = ((2024 - 1980) << 9) | (1 << 5) | 1;
const version_needed = 20;
const block = Buffer.alloc(1024 * 1024);

/** A zip archive whose first entry is zeros, which need not be kept in memory. */
export interface PaddedZip {
  size: number;
  sha1: string;
  sha512: string;
  /** Its bytes, long runs of zeros apart from the others. */
  chunks(): AsyncGenerator<Buffer>;
}

interface Entry {
  name: Buffer;
  crc: number;
  packed_bytes: number;
  bytes: number;
  method: 0 | 8;
  offset: number;
}

/** Everything before the other entries, which all archives with this padding share. */
interface Padding {
  entry: Entry;
  head: Buffer;
  /** The states of the hashes after the padding. */
  sha1: Hash;
  sha512: Hash;
}
const paddings = new Map<number, Padding>();

/**
 * A zip of text entries, made larger by an entry of `padding` zeros. Hashing is quick, because archives with the same
 * padding share its part of the work.
 */
export function zip(texts: Record<string, string>, padding: number): PaddedZip {
  const { entry, head, sha1, sha512 } = paddingOf(padding);
  const entries = [entry];
  const parts: Buffer[] = [];
  let offset = head.length + padding;
  for (const [name, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    const one = {
      ...{ name: Buffer.from(name), crc: crc32(bytes), method: 8 as const, offset },
      ...{ bytes: bytes.length, packed_bytes: packed.length },
    };
    entries.push(one);
    parts.push(localHeader(one), packed);
    offset += parts.at(-2)!.length + packed.length;
  }
  const tail = Buffer.concat([...parts, directory(entries, offset)]);
  return {
    size: head.length + padding + tail.length,
    sha1: sha1.copy().update(tail).digest('hex'),
    sha512: sha512.copy().update(tail).digest('hex'),
    async *chunks() {
      yield head;
      yield* zeros(padding);
      yield tail;
    },
  };
}

function* zeros(length: number): Generator<Buffer> {
  for (let left = length; left > 0; left -= block.length) yield block.subarray(0, left);
}

function paddingOf(length: number): Padding {
  const known = paddings.get(length);
  if (known) return known;
  let crc = 0;
  for (const chunk of zeros(length)) crc = crc32(chunk, crc);
  const name = Buffer.from('padding.bin');
  const entry: Entry = { name, crc, bytes: length, packed_bytes: length, method: 0, offset: 0 };
  const head = localHeader(entry);
  const made = {
    entry,
    head,
    sha1: createHash('sha1').update(head),
    sha512: createHash('sha512').update(head),
  };
  for (const chunk of zeros(length)) {
    made.sha1.update(chunk);
    made.sha512.update(chunk);
  }
  paddings.set(length, made);
  return made;
}

/** The fields that a local header and the directory share. Source: APPNOTE §4.3.7. */
function fields({ name, crc, method, bytes, packed_bytes }: Entry): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(version_needed, 0);
  part.writeUInt16LE(method, 4);
  part.writeUInt16LE(dos_date, 8);
  part.writeUInt32LE(crc, 10);
  part.writeUInt32LE(packed_bytes, 14);
  part.writeUInt32LE(bytes, 18);
  part.writeUInt16LE(name.length, 22);
  return part;
}

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields(entry), entry.name]);

/** The directory at `start` with its end record. Source: APPNOTE §4.3.12, §4.3.16. */
function directory(entries: readonly Entry[], start: number): Buffer {
  const records = entries.flatMap((entry) => {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(entry.offset, 10);
    return [Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields(entry), rest, entry.name];
  });
  const listed = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([listed, end]);
}
