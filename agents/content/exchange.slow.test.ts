import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow } from '../testing/content.ts';

/** A change whose process is killed before each of its steps: what is there after the next start is all old or all new. */
const program = fileURLToPath(new URL('../testing/exchange-process.ts', import.meta.url));
const uid = process.getuid?.() === 0 ? 20_001 : (process.getuid?.() ?? 0);

let folder: string;
const start = (): void => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-exchange-'));
  mkdirSync(join(folder, 'mods'));
  mkdirSync(join(folder, 'config'));
  for (const name of ['sky', 'axe', 'old', 'kept'])
    writeFileSync(join(folder, `mods/${name}.jar`), `old ${name}`);
};
const end = (): void => rmSync(folder, { recursive: true, force: true });
beforeEach(start);
afterEach(end);

const old_files = {
  config: 'folder',
  mods: 'folder',
  'mods/axe.jar': 'old axe',
  'mods/kept.jar': 'old kept',
  'mods/old.jar': 'old old',
  'mods/sky.jar': 'old sky',
};
const new_files = {
  config: 'folder',
  'config/deep': 'folder',
  'config/deep/er': 'folder',
  'config/deep/er/new.toml': 'new 2',
  mods: 'folder',
  'mods/axe.jar.disabled': 'old axe',
  'mods/kept.jar': 'old kept',
  'mods/new.jar': 'new 1',
  'mods/sky.jar': 'new 0',
};

type Mode = 'apply' | 'undo' | 'settle';
/** Runs one and gives its steps; it has to be killed before `step` when that is given. */
function run(mode: Mode, step?: number): number {
  const args = [program, folder, String(uid), mode, ...(step === undefined ? [] : [String(step)])];
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([signal, stderr]).toEqual([step === undefined ? null : 'SIGKILL', '']);
  return Number(stdout);
}

describe('a change that is killed', () => {
  // taking, 3 files, putting, 4 files, done
  const steps = 10;
  it('has as many steps as the tables here', () => {
    expect(run('apply')).toBe(steps);
    expect(filesBelow(folder)).toEqual(new_files);
    // unputting, 4, untaking, 3, 2 folders, undone
    expect(run('undo')).toBe(12);
    expect(filesBelow(folder)).toEqual(old_files);
  });

  it.each(Array.from({ length: steps }, (_, step) => step))('before step %i is as it was', (step) => {
    run('apply', step);
    run('settle');
    expect(filesBelow(folder)).toEqual(old_files);
    expect(run('settle'), 'once').toBe(0);
  });

  it.each(Array.from({ length: 12 }, (_, step) => step))(
    'while it is taken back, before step %i, is as it was in the end',
    (step) => {
      run('apply');
      run('undo', step);
      // nothing was stored before its first step: it was not taken back
      run('settle');
      expect(filesBelow(folder)).toEqual(step === 0 ? new_files : old_files);
    },
  );

  it('is as it was though the way back is killed again and again', () => {
    run('apply', 8);
    let step = 0;
    for (; step < 20; step++) {
      const args = [program, folder, String(uid), 'settle', String(step % 4)];
      if (spawnSync(process.execPath, args).signal === null) break;
      if (step % 4 === 3) run('settle');
    }
    run('settle');
    expect(filesBelow(folder)).toEqual(old_files);
  });

  it('comes back though its folder is a link by then, and nothing is written where that leads', () => {
    const outside = mkdtempSync(join(tmpdir(), 'cairn-outside-'));
    try {
      run('apply', 6);
      rmSync(join(folder, 'mods'), { recursive: true });
      symlinkSync(outside, join(folder, 'mods'));
      run('settle');
      expect(readdirSync(outside)).toEqual([]);
      expect(filesBelow(folder)).toMatchObject({
        mods: 'folder',
        'mods/sky.jar': 'old sky',
        'mods/old.jar': 'old old',
      });
      // the link is kept where its owner finds it
      expect(existsSync(join(folder, '.cairn/trash'))).toBe(true);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});
