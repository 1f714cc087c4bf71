import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makePrivate, makeSocketFolder, shortHash, socketFolder } from './private-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'cairn-private-'));
const long = join(home, 'long'.repeat(30));
afterAll(() => {
  for (const path of [home, socketFolder(long)]) rmSync(path, { recursive: true, force: true });
});
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const asRoot = process.getuid?.() === 0;

describe('a private folder', () => {
  it('is created for its owner only', () => {
    makePrivate(join(home, 'new/below'));
    expect(modeOf(join(home, 'new/below'))).toBe(0o700);
  });

  it('is restricted if it was accessible to others', () => {
    const folder = join(home, 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    makePrivate(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('refuses a symbolic link and leaves its target unchanged', () => {
    const [target, link] = [join(home, 'target'), join(home, 'link')];
    mkdirSync(target, { mode: 0o755 });
    symlinkSync(target, link);
    expect(() => makePrivate(link)).toThrow('is not a folder of this user');
    expect(modeOf(target)).toBe(0o755);
  });

  it.runIf(asRoot)('refuses a folder of another user, unless it is the named owner', () => {
    const folder = join(home, 'foreign');
    mkdirSync(folder);
    chownSync(folder, 54_321, 54_321);
    expect(() => makePrivate(folder)).toThrow('is not a folder of this user');
    expect(statSync(folder).uid).toBe(54_321);
    makePrivate(folder, 54_321);
    expect(modeOf(folder)).toBe(0o700);
  });
});

it('restricts the folder of a socket whose path was shortened', () => {
  const short = socketFolder(long);
  expect(short).toBe(`/tmp/cairn-${shortHash(long)}`);
  makeSocketFolder(short);
  expect(modeOf(short)).toBe(0o700);
  expect(socketFolder(home)).toBe(home);
  chmodSync(home, 0o711);
  makeSocketFolder(home);
  expect(modeOf(home)).toBe(0o711);
});
