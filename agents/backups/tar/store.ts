import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync } from 'node:fs';
import { runProgram, tell } from './messages.ts';
import { writeAll } from './output.ts';

/** Stores standard input as a new file that is on the disk at the end: `store.ts PATH MAX_BYTES`. Tells size and SHA-256. */
runProgram(() => {
  const [path = '', max = ''] = process.argv.slice(2);
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const hash = createHash('sha256');
  const file = openSync(path, 'w', 0o600);
  let [used, bytes] = [0, 0];
  const flush = (): void => {
    const chunk = buffer.subarray(0, used);
    hash.update(chunk);
    writeAll(file, chunk);
    used = 0;
  };
  for (;;) {
    const read = readSync(0, buffer, used, buffer.length - used, null);
    used += read;
    bytes += read;
    if (bytes > Number(max)) throw Object.assign(new Error('too large'), { code: 'too_large' });
    if (read === 0 || used === buffer.length) flush();
    if (read === 0) break;
  }
  fsyncSync(file);
  closeSync(file);
  tell({ stored: { bytes, sha256: hash.digest('hex') } });
});
