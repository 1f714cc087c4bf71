import { crc32 } from 'node:zlib';
import { damagedFiles } from './compare.ts';
import { entriesOf } from './entries.ts';
import { openRoot } from './fds.ts';
import { Input } from './input.ts';
import { progress, runProgram, tell } from './messages.ts';
import { reserved, SumWriter, sums_path } from './sums.ts';
import { Writer } from './writer.ts';

/**
 * Unpacks a tar of `pack.ts` from standard input: `unpack.ts SCRATCH MODE [FOLDER UID LIMIT INSIDE]`. MODE `restore` writes
 * it into an empty folder, `verify` compares what was written with the sums of the backup as well, and `check` compares
 * without writing. Only files, folders and links that stay inside are made. Source: hosting §1d, §1e.
 */
runProgram(() => {
  const [scratch = '', mode = '', folder = '', uid = '', limit = '', inside = ''] = process.argv.slice(2);
  const input = new Input(0);
  const say = progress();
  const read = new SumWriter(`${scratch}.read`);
  const kept = new SumWriter(`${scratch}.kept`);
  const writer =
    mode === 'check'
      ? null
      : new Writer(openRoot(folder), { uid: Number(uid), limit: Number(limit), inside });
  const damaged: string[] = [];
  let [files, content_bytes] = [0, 0];

  for (const entry of entriesOf(input)) {
    if (entry.path === sums_path) {
      entry.content((bytes) => kept.addBytes(bytes));
      continue;
    }
    if (entry.path.split('/', 1)[0] === reserved) continue;
    if (entry.type === 'file' || entry.type === 'hard_link') files += 1;
    const summed = mode !== 'restore' && entry.type === 'file';
    let sum = entry.map && summed ? crc32(entry.map) : 0;
    const file = writer?.begin(entry) ?? null;
    entry.content((bytes, offset) => {
      if (summed) sum = crc32(bytes, sum);
      file?.write(bytes, offset);
      content_bytes += bytes.length;
      say(content_bytes);
    });
    file?.end();
    if (summed) read.add({ sum, path: entry.path, sparse: entry.map !== null });
  }
  writer?.end();
  if (mode !== 'restore')
    damaged.push(...damagedFiles(kept.end(), read.end(), mode === 'verify' ? folder : null));
  tell({ unpacked: { files, content_bytes, damaged, left_out: writer?.left_out ?? 0 } });
});
