/**
 * The parts of the tar format that backups use: ustar with extended headers (POSIX.1-2001 pax), and holes as GNU tar stores
 * them (`GNU.sparse` 1.0), so that GNU tar and bsdtar unpack a downloaded backup. Names are bytes, held as latin1 text:
 * the names of a game need not be UTF-8.
 */

export const block = 512;
type EntryType = 'file' | 'directory' | 'link' | 'hard_link';
const flags: Record<EntryType, string> = { file: '0', hard_link: '1', link: '2', directory: '5' };
const typeOf: Record<string, EntryType> = {
  '0': 'file',
  '\0': 'file',
  '1': 'hard_link',
  '2': 'link',
  '5': 'directory',
};

export interface Entry {
  /** Relative, without a `/` at its end. */
  path: string;
  type: EntryType;
  mode: number;
  /** Seconds since 1970. */
  modified: number;
  /** Bytes that follow its header; of a sparse file those of its map and of its data. */
  stored: number;
  /** Target of a link. */
  target?: string;
  /** Size of a file with holes. */
  sparse_size?: number;
}

/** Bytes from the end of `bytes` to the next block. */
export const padding = (bytes: number): number => (block - (bytes % block)) % block;

const max_octal = 8 ** 11 - 1;
const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** One line of an extended header: `LENGTH KEY=VALUE\n`, whose length counts itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return `${length}${rest}`;
}

function ustar(name: string, flag: string, entry: Omit<Entry, 'path' | 'type'>): Buffer {
  const header = Buffer.alloc(block);
  header.write(name.slice(0, 100), 0, 'latin1');
  header.write(`${octal(entry.mode & 0o777, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1');
  header.write(`${octal(Math.min(entry.stored, max_octal), 11)}\0`, 124, 'latin1');
  const modified = Math.min(Math.max(Math.floor(entry.modified), 0), max_octal);
  header.write(`${octal(modified, 11)}\0        ${flag}`, 136, 'latin1');
  header.write((entry.target ?? '').slice(0, 100), 157, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** The header of an entry, with an extended one before it where needed. Its content follows, filled up to a block. */
export function headerOf(entry: Entry): Buffer {
  const { path, type, stored, target = '', sparse_size } = entry;
  const name = type === 'directory' ? `${path}/` : path;
  const at = path.lastIndexOf('/') + 1;
  const extended = [
    ...(sparse_size === undefined
      ? name.length > 100
        ? [record('path', name)]
        : []
      : [
          record('GNU.sparse.major', '1'),
          record('GNU.sparse.minor', '0'),
          record('GNU.sparse.name', path),
          record('GNU.sparse.realsize', String(sparse_size)),
        ]),
    ...(target.length > 100 ? [record('linkpath', target)] : []),
    ...(stored > max_octal ? [record('size', String(stored))] : []),
  ].join('');
  const shown = sparse_size === undefined ? name : `${path.slice(0, at)}GNUSparseFile.0/${path.slice(at)}`;
  const own = ustar(shown, flags[type], entry);
  if (extended === '') return own;
  const body = Buffer.from(extended, 'latin1');
  const before = ustar('PaxHeader', 'x', { mode: 0o644, modified: entry.modified, stored: body.length });
  return Buffer.concat([before, body, Buffer.alloc(padding(body.length)), own]);
}

/**
 * The map of a sparse file of `size` bytes, `[offset, length]` of its data in order, as it stands before the data. An empty
 * piece at its end says where a hole there ends.
 */
export function sparseMap(segments: readonly (readonly [number, number])[], size: number): Buffer {
  const [offset, length] = segments.at(-1) ?? [0, 0];
  const all = offset + length < size ? [...segments, [size, 0] as const] : segments;
  const text = Buffer.from([all.length, ...all.flat()].map((number) => `${number}\n`).join(''));
  return Buffer.concat([text, Buffer.alloc(padding(text.length))]);
}

/** What is not a backup that was written here, or was cut or changed since. */
export class TarDamaged extends Error {}

const text = (header: Buffer, from: number, length: number): string => {
  const field = header.toString('latin1', from, from + length);
  const end = field.indexOf('\0');
  return end < 0 ? field : field.slice(0, end);
};
const number = (field: string): number => {
  const value = field.trim() === '' ? 0 : Number.parseInt(field, 8);
  if (!Number.isSafeInteger(value) || value < 0) throw new TarDamaged('a header has a wrong number');
  return value;
};

/** The records of an extended header. Throws `TarDamaged`. */
export function recordsOf(body: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString('latin1', at, space));
    if (space < 0 || !(length > space - at + 1) || at + length > body.length)
      throw new TarDamaged('an extended header has a wrong length');
    const line = body.toString('latin1', space + 1, at + length - 1);
    const equals = line.indexOf('=');
    found.set(line.slice(0, equals), line.slice(equals + 1));
    at += length;
  }
  return found;
}

/** A header as it was read: an entry, an extended header of `stored` bytes, or null at the end. Throws `TarDamaged`. */
export function parseHeader(
  header: Buffer,
  extended: ReadonlyMap<string, string>,
): Entry | { extended: 'next' | 'ignored'; stored: number } | null {
  if (header.every((byte) => byte === 0)) return null;
  const claimed = number(text(header, 148, 8));
  let sum = 0;
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 0x20 : header[at]!;
  if (sum !== claimed) throw new TarDamaged('a header has a wrong sum');
  const flag = String.fromCharCode(header[156]!);
  const stored = number(
    extended.get('size') ? Number(extended.get('size')).toString(8) : text(header, 124, 12),
  );
  if (flag === 'x' || flag === 'g') return { extended: flag === 'x' ? 'next' : 'ignored', stored };
  const type = typeOf[flag];
  if (!type) throw new TarDamaged(`an entry has the type ${JSON.stringify(flag)}`);
  const prefix = text(header, 345, 155);
  const short = prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100);
  const path = extended.get('GNU.sparse.name') ?? extended.get('path') ?? short;
  const size = extended.get('GNU.sparse.realsize');
  return {
    path: path.replace(/\/$/, ''),
    type,
    mode: number(text(header, 100, 8)) & 0o777,
    modified: number(text(header, 136, 12)),
    stored,
    target: extended.get('linkpath') ?? text(header, 157, 100),
    ...(size === undefined ? {} : { sparse_size: number(Number(size).toString(8)) }),
  };
}
