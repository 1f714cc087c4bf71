import { closeSync, fstatSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openFolder, openRoot, openToRead, within, withOpen } from './fds.ts';
import { block, headerOf, padding, sparseMap } from './format.ts';
import { type Segments, segmentsOf } from './holes.ts';
import { progress, runProgram, tell } from './messages.ts';
import { Output } from './output.ts';
import { reserved, SumWriter, sums_path } from './sums.ts';

/**
 * Packs a folder into a tar on standard output: `pack.ts FOLDER SCRATCH`, a program of its own that can be killed. Follows
 * no link, reads no hole, and every file has the size its header says: one that shrinks is filled with zeros, one that
 * grows is cut, and both are named as changed. The sums of all files are its last entry (`sums.ts`). Source: hosting §1d.
 */

const max_named = 100;
/** Deeper or longer than any game has it: such entries are named and left out. */
const max_depth = 500;
const max_path = 4_000;
const zeros = Buffer.alloc(64 * 1024);
runProgram(() => {
  const [folder = '', scratch = ''] = process.argv.slice(2);
  const out = new Output(1);
  const say = progress();
  const sums = new SumWriter(scratch);
  const first_names = new Map<string, string>();
  const changed: string[] = [];
  let [files, content_bytes, changed_count] = [0, 0, 0];

  const root = openRoot(folder);
  const device = fstatSync(root).dev;
  packFolder(root, '');
  const { fd: sums_fd, bytes } = sums.end();
  out.write(headerOf({ path: sums_path, type: 'file', mode: 0o644, modified: 0, stored: bytes }));
  out.copy(sums_fd, 0, bytes, () => {});
  out.zeros(padding(bytes) + 2 * block);
  closeSync(sums_fd);
  out.flush();
  tell({ packed: { files, content_bytes, changed, changed_count } });

  function packFolder(fd: number, path: string): void {
    for (const name of readdirSync(`/proc/self/fd/${fd}`, { encoding: 'latin1' }).sort()) {
      if (path === '' && name === reserved) continue;
      packEntry(fd, name, path === '' ? name : `${path}/${name}`);
    }
  }

  function packEntry(parent: number, name: string, path: string): void {
    if (path.length > max_path || path.split('/').length > max_depth) {
      nameChanged(path.slice(0, max_path));
      return;
    }
    try {
      const found = lstatSync(within(parent, name));
      const about = { path, mode: found.mode, modified: found.mtimeMs / 1000, stored: 0 };
      if (found.isSymbolicLink()) {
        const target = readlinkSync(within(parent, name), { encoding: 'latin1' });
        out.write(headerOf({ ...about, type: 'link', target }));
      } else if (found.isDirectory())
        withOpen(openFolder(parent, name), (fd) => {
          if (fstatSync(fd).dev !== device) return;
          out.write(headerOf({ ...about, type: 'directory' }));
          packFolder(fd, path);
        });
      else if (found.isFile()) withOpen(openToRead(parent, name), (fd) => packFile(fd, path));
    } catch (error) {
      // removed or replaced since it was listed
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(code)) throw error;
      nameChanged(path);
    }
  }

  function packFile(fd: number, path: string): void {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile()) {
      nameChanged(path);
      return;
    }
    const size = Number(before.size);
    const about = { path, mode: Number(before.mode), modified: Number(before.mtimeMs) / 1000 };
    files += 1;
    if (before.nlink > 1n) {
      const target = first_names.get(`${before.ino}`);
      if (target !== undefined) {
        out.write(headerOf({ ...about, type: 'hard_link', target, stored: 0 }));
        return;
      }
      first_names.set(`${before.ino}`, path);
    }
    const has_holes = Number(before.blocks) * 512 < size - 64 * 1024;
    const segments: Segments = has_holes ? segmentsOf(fd, size) : [[0, size]];
    const data = segments.reduce((sum, [, length]) => sum + length, 0);
    // a file that the file system itself compresses has no holes to leave out
    const map = has_holes && data < size ? sparseMap(segments, size) : null;
    const stored = data + (map?.length ?? 0);
    out.write(headerOf({ ...about, type: 'file', stored, ...(map ? { sparse_size: size } : {}) }));
    if (map) out.write(map);
    let sum = map ? crc32(map) : 0;
    let cut = false;
    for (const [offset, length] of segments) {
      const read = out.copy(fd, offset, length, (bytes) => {
        sum = crc32(bytes, sum);
        content_bytes += bytes.length;
        say(content_bytes);
      });
      if (read < length) {
        cut = true;
        out.zeros(length - read);
        for (let left = length - read; left > 0; left -= zeros.length)
          sum = crc32(zeros.subarray(0, Math.min(left, zeros.length)), sum);
      }
    }
    out.zeros(padding(stored));
    const after = fstatSync(fd, { bigint: true });
    if (cut || after.size !== before.size || after.mtimeNs !== before.mtimeNs) nameChanged(path);
    sums.add({ sum, path, sparse: map !== null });
  }

  function nameChanged(path: string): void {
    changed_count += 1;
    if (changed.length < max_named) changed.push(Buffer.from(path, 'latin1').toString('utf8'));
  }
});
