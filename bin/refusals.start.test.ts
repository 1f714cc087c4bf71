import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './install.mjs';
import { freePort, privateFolder, removeFolder, start } from './testing/product.ts';

/** Every misconfiguration: one line with the fix, a non-zero exit code, nothing left running. */
const folder = privateFolder();
let taken: Server;
let port = 0;

beforeAll(async () => {
  port = await freePort();
  taken = createServer().listen(port, '127.0.0.1');
});
afterAll(async () => {
  taken.close();
  await removeFolder(folder);
});

/** The lines of a start that are neither npm's nor empty, and its exit code. */
async function refused(env: Record<string, string>): Promise<{ lines: string[]; code: number | null }> {
  const product = start(root, { HOME: folder, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', ...env });
  const code = await product.exited;
  const lines = product
    .output()
    .split('\n')
    .filter((line) => line !== '' && !/^(>|npm )/.test(line));
  return { lines, code };
}

describe('npm start refuses in one line', () => {
  it('a port in use', async () => {
    const { lines, code } = await refused({ PORT: String(port) });
    expect(lines).toEqual([
      `Port ${port} on 127.0.0.1 is already in use: stop that program or set PORT to a free one.`,
    ]);
    expect(code).toBe(1);
  });

  it('a folder that is not writable', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { lines, code } = await refused({ DATA_DIR: join(folder, 'file/below') });
    expect(lines).toEqual([
      `DATA_DIR=${join(folder, 'file/below')} is not writable (ENOTDIR): choose a folder that this user can write to.`,
    ]);
    expect(code).toBe(1);
  });

  it('invalid settings, with a line for each', async () => {
    const { lines, code } = await refused({ PORT: 'http', CONTROL_PLANES: '9', SEED: 'some' });
    expect(lines).toEqual([
      'PORT=http is not allowed: use a whole number from 0 to 65535.',
      'SEED=some is not allowed: use one of demo, none.',
      'CONTROL_PLANES=9 is not allowed: use a whole number from 1 to 4.',
    ]);
    expect(code).toBe(1);
  });

  it('a database that does not answer, without its password', async () => {
    const nobody = await freePort();
    const { lines, code } = await refused({
      PORT: '0',
      DATABASE_URL: `postgres://ada:very-secret@127.0.0.1:${nobody}/cairn`,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`The database at 127.0.0.1:${nobody}/cairn cannot be used`);
    expect(lines[0]).not.toContain('very-secret');
    expect(code).toBe(1);
  });

  it.runIf(process.getuid?.() === 0)('a full disk', async () => {
    const small = join(folder, 'small');
    mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
    try {
      const { lines, code } = await refused({ PORT: '0', DATA_DIR: join(small, 'data') });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^The disk of DATA_DIR=.* is full: \d+ MB free, \d+ MB needed\.$/);
      expect(code).toBe(1);
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
