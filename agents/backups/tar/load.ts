import { createHash } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { TarDamaged } from './format.ts';
import { runProgram } from './messages.ts';
import { pipe_bytes, writeAll } from './output.ts';

/** Passes a file on whose SHA-256 is known, the last bytes only when it is right: `load.ts PATH [SHA256]`. */
runProgram(() => {
  const [path = '', sha256 = ''] = process.argv.slice(2);
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  let [ahead, behind] = [Buffer.allocUnsafe(pipe_bytes), Buffer.allocUnsafe(pipe_bytes)];
  let waiting = 0;
  for (;;) {
    const read = readSync(file, ahead, 0, ahead.length, null);
    if (read === 0) break;
    hash.update(ahead.subarray(0, read));
    writeAll(1, behind.subarray(0, waiting));
    [ahead, behind, waiting] = [behind, ahead, read];
  }
  if (sha256 !== '' && hash.digest('hex') !== sha256) throw new TarDamaged('the archive has another sum');
  writeAll(1, behind.subarray(0, waiting));
});
