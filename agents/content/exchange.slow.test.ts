import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow } from '../testing/content.ts';
import { type ExchangeMode, exchangeFiles } from '../testing/exchange.ts';

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

const run = (mode: ExchangeMode): Promise<number> => exchangeFiles(folder, uid, mode);
/** Runs one in a process that is killed before that step. */
function killed(mode: ExchangeMode, step: number): void {
  const { signal, stderr } = spawnSync(process.execPath, [program, folder, String(uid), mode, String(step)]);
  expect([signal, stderr.toString()]).toEqual(['SIGKILL', '']);
}

describe('a change that is killed', () => {
  // taking, 3 files, putting, 4 files, done
  const steps = 10;
  it('has as many steps as the tables here', async () => {
    expect(await run('apply')).toBe(steps);
    expect(filesBelow(folder)).toEqual(new_files);
    // unputting, 4, untaking, 3, 2 folders, undone
    expect(await run('undo')).toBe(12);
    expect(filesBelow(folder)).toEqual(old_files);
  });

  it.each(Array.from({ length: steps }, (_, step) => step))('before step %i is as it was', async (step) => {
    killed('apply', step);
    await run('settle');
    expect(filesBelow(folder)).toEqual(old_files);
    expect(await run('settle'), 'once').toBe(0);
  });

  it.each(Array.from({ length: 12 }, (_, step) => step))(
    'while it is taken back, before step %i, is as it was in the end',
    async (step) => {
      await run('apply');
      killed('undo', step);
      // nothing was stored before its first step: it was not taken back
      await run('settle');
      expect(filesBelow(folder)).toEqual(step === 0 ? new_files : old_files);
    },
  );

  it('is as it was though the way back is killed again and again', async () => {
    killed('apply', 8);
    for (let step = 0; step < 20; step++) {
      const args = [program, folder, String(uid), 'settle', String(step % 4)];
      if (spawnSync(process.execPath, args).signal === null) break;
      if (step % 4 === 3) await run('settle');
    }
    await run('settle');
    expect(filesBelow(folder)).toEqual(old_files);
  });

  it('comes back though its folder is a link by then, and nothing is written where that leads', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cairn-outside-'));
    try {
      killed('apply', 6);
      rmSync(join(folder, 'mods'), { recursive: true });
      symlinkSync(outside, join(folder, 'mods'));
      await run('settle');
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
