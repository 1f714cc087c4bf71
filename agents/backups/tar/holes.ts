import { spawnSync } from 'node:child_process';
import { readSync } from 'node:fs';
import { block } from './format.ts';

/** Data of a file with holes: `[offset, length]` in order. */
export type Segments = [number, number][];

const piece = 64 * 1024;
/** Of the output of tar only the map is needed, which comes first. */
const max_map = 4 * 1024 * 1024;
const max_segments = 10_000;

/**
 * The data of the open file `fd` that has holes. GNU tar knows them without reading the file; without it everything is
 * read, and what is zero counts as a hole.
 */
export const segmentsOf = (fd: number, size: number): Segments =>
  coarse(byTar(fd, size) ?? byReading(fd, size));

/** Few enough for a map: the smallest holes count as data. */
function coarse(segments: Segments): Segments {
  let found = segments;
  for (let hole = piece; found.length > max_segments; hole *= 2) {
    const merged: Segments = [];
    for (const [offset, length] of found) {
      const last = merged.at(-1);
      if (last && offset - last[0] - last[1] < hole) last[1] = offset + length - last[0];
      else merged.push([offset, length]);
    }
    found = merged;
  }
  return found;
}

function byTar(fd: number, size: number): Segments | null {
  const args = ['--format=posix', '--sparse', '--hole-detection=seek', '--dereference', '-cf', '-'];
  // its output is cut after the map: tar then ends by itself
  const { stdout } = spawnSync(
    'sh',
    ['-c', `tar "$@" 2>/dev/null | head -c ${max_map}`, 'sh', ...args, '/dev/fd/3'],
    {
      stdio: ['ignore', 'pipe', 'ignore', fd],
      maxBuffer: 2 * max_map,
      env: { ...process.env, LC_ALL: 'C' },
    },
  );
  if (!stdout || stdout.length < 3 * block) return null;
  const extended = Number.parseInt(stdout.toString('latin1', 124, 136), 8);
  const at = 2 * block + Math.ceil(extended / block) * block;
  if (!stdout.toString('latin1', block, block + extended).includes('GNU.sparse.major=1')) return null;
  return parseMap(stdout.subarray(at), size);
}

/** Reads a map as `sparseMap` writes it; null when it is none or does not fit `size`. */
export function parseMap(bytes: Buffer, size: number): Segments | null {
  let at = 0;
  const next = (): number => {
    const end = bytes.indexOf(0x0a, at);
    const digits = end < 0 ? '' : bytes.toString('latin1', at, end);
    at = end + 1;
    return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  };
  const count = next();
  if (!(count >= 0 && count <= bytes.length)) return null;
  const segments: Segments = [];
  let before = 0;
  for (let index = 0; index < count; index++) {
    const [offset, length] = [next(), next()];
    if (!(offset >= before && length >= 0 && offset + length <= size)) return null;
    before = offset + length;
    if (length > 0) segments.push([offset, length]);
  }
  return segments;
}

function byReading(fd: number, size: number): Segments {
  const [bytes, zeros] = [Buffer.alloc(piece), Buffer.alloc(piece)];
  const segments: Segments = [];
  for (let offset = 0; offset < size; ) {
    const read = readSync(fd, bytes, 0, Math.min(piece, size - offset), offset);
    if (read === 0) break;
    const last = segments.at(-1);
    if (bytes.compare(zeros, 0, read, 0, read) !== 0) {
      if (last && last[0] + last[1] === offset) last[1] += read;
      else segments.push([offset, read]);
    }
    offset += read;
  }
  return segments;
}
