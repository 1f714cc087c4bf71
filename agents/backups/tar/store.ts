import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { runProgram, tell } from './messages.ts';

const poll_ms = 10;
const max_errors = 2_000;

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });
/** The code of what a program tells only in words. */
const codeOf = (errors: string): string =>
  /no space left/i.test(errors) ? 'ENOSPC' : /quota exceeded/i.test(errors) ? 'EDQUOT' : 'failed';

/**
 * Stores what a program makes of standard input as a new file that is on the disk at the end: `store.ts PATH MAX_BYTES
 * PROGRAM...`. Tells size and SHA-256. The program writes the file itself and its sum is taken of what is there already,
 * which costs less than a pipe in between. Standard input stays open here: whoever writes to it fails only after this told
 * why.
 */
runProgram(async () => {
  const [path = '', max = '', program = '', ...words] = process.argv.slice(2);
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const hash = createHash('sha256');
  const file = openSync(path, 'w+', 0o600);
  const child = spawn(program, words, { stdio: ['inherit', file, 'pipe'] });
  let [bytes, errors] = [0, ''];
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-max_errors);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null }));
  const sumWhatIsThere = (): void => {
    for (;;) {
      const { size } = fstatSync(file);
      if (size > Number(max)) throw failure('too_large', 'too large');
      if (size === bytes) return;
      const read = readSync(file, buffer, 0, Math.min(buffer.length, size - bytes), bytes);
      if (read === 0) throw new Error('the file became shorter while it was written');
      hash.update(buffer.subarray(0, read));
      bytes += read;
    }
  };
  try {
    for (;;) {
      const end = await Promise.race([ended, setTimeout(poll_ms, null)]);
      if (end && end.code !== 0) throw failure(codeOf(errors), `${program}: ${errors.trim() || end.code}`);
      sumWhatIsThere();
      if (end) break;
    }
  } finally {
    child.kill('SIGKILL');
  }
  fsyncSync(file);
  closeSync(file);
  tell({ stored: { bytes, sha256: hash.digest('hex') } });
});
