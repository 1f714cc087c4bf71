import { block, type Entry, padding, parseHeader, recordsOf, sparseMap, TarDamaged } from './format.ts';
import { parseMap, type Segments } from './holes.ts';
import type { Input } from './input.ts';

const max_extended = 1024 * 1024;
const max_map_blocks = 1024;

export interface ReadEntry extends Entry {
  /** The names on its way and its own. */
  names: string[];
  /** The map of a file with holes, as its sum counts it. */
  map: Buffer | null;
  /** Gives its bytes and where each piece lies in the file. What is not taken is skipped. */
  content(use: (bytes: Buffer, offset: number) => void): void;
}

/** The names of a path that stays inside. Throws `TarDamaged`. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  const bad = names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'));
  if (bad || path.length > 4096) throw new TarDamaged('an entry has a name that leads elsewhere');
  return names;
}

/** The entries of a tar, one after the other. Throws `TarDamaged` where it is none, and when it ends before its end. */
export function* entriesOf(input: Input): Generator<ReadEntry> {
  let extended = new Map<string, string>();
  for (;;) {
    const parsed = parseHeader(input.read(block), extended);
    if (parsed === null) break;
    if ('extended' in parsed) {
      if (parsed.stored > max_extended) throw new TarDamaged('an extended header is too long');
      const body = input.read(parsed.stored);
      input.skip(padding(parsed.stored));
      if (parsed.extended === 'next') extended = recordsOf(body);
      continue;
    }
    extended = new Map();
    const names = namesOf(parsed.path);
    const { stored, sparse_size } = parsed;
    const sparse = sparse_size === undefined ? null : readMap(input, stored, sparse_size);
    const segments: Segments = sparse?.segments ?? [[0, stored]];
    let taken = parsed.type !== 'file';
    const content = (use: (bytes: Buffer, offset: number) => void): void => {
      if (taken) return;
      taken = true;
      for (const [offset, length] of segments) {
        let at = offset;
        input.take(length, (bytes) => {
          use(bytes, at);
          at += bytes.length;
        });
      }
      input.skip(padding(stored));
    };
    yield { ...parsed, names, map: sparse?.map ?? null, content };
    content(() => {});
  }
  input.drain();
}

function readMap(input: Input, stored: number, size: number): { map: Buffer; segments: Segments } {
  let map = Buffer.alloc(0);
  for (let blocks = 1; blocks <= max_map_blocks && map.length < stored; blocks++) {
    map = Buffer.concat([map, input.read(block)]);
    const segments = parseMap(map, size);
    if (!segments || sparseMap(segments, size).length !== map.length) continue;
    const data = segments.reduce((sum, [, length]) => sum + length, 0);
    if (map.length + data === stored) return { map, segments };
  }
  throw new TarDamaged('the map of a file with holes is wrong');
}
