import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { load } from './loader.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'cairn-loader-'));
  for (const folder of ['mods/nested.jar', 'plugins']) mkdirSync(join(data, folder), { recursive: true });
  for (const name of [
    'mods/sky.jar',
    'mods/axe.jar',
    'mods/off.jar.disabled',
    'mods/read.txt',
    'plugins/chat.jar',
  ])
    writeFileSync(join(data, name), '');
  symlinkSync('/etc/hostname', join(data, 'mods/link.jar'));
});
afterEach(() => rmSync(data, { recursive: true }));

const started = (env: Record<string, string>) => load(env, data);
const mods = { LOADER_CONTENT: 'mod' };
const plugins = { LOADER_CONTENT: 'plugin' };

describe('the demo server in place of a loader', () => {
  it.each([
    [{ TYPE: 'FABRIC', ...mods }, ['Loaded mod axe.jar', 'Loaded mod sky.jar']],
    [{ TYPE: 'neoforge', ...mods }, ['Loaded mod axe.jar', 'Loaded mod sky.jar']],
    [{ TYPE: 'PAPER', ...plugins }, ['Loaded plugin chat.jar']],
    [{ TYPE: 'VANILLA' }, []],
  ])('names the files that a server of %j would load', (env, loaded) => {
    const { lines, error } = started(env);
    expect(error).toBeNull();
    expect(lines.filter((line) => line.startsWith('Loaded'))).toEqual(loaded);
  });

  it('says which version, heap and flags it was told', () => {
    const env = { TYPE: 'QUILT', ...mods, QUILT_LOADER_VERSION: '0.27.1', MEMORY: '384M', JVM_OPTS: '-Da=b' };
    expect(started({ ...env, JVM_XX_OPTS: '-XX:+UseG1GC' }).lines.slice(0, 2)).toEqual([
      'Java flags: -XX:+UseG1GC -Da=b; heap: 384M',
      'Loader: quilt 0.27.1',
    ]);
  });

  it('does not start with a file that is there for that, unless it is disabled', () => {
    writeFileSync(join(data, 'mods/crash-on-start-1.jar'), '');
    expect(started({ TYPE: 'FORGE', ...mods }).error).toBe(
      'The mod crash-on-start-1.jar failed to load: remove or disable it.',
    );
    expect(started({ TYPE: 'PAPER', ...plugins }).error).toBeNull();
    rmSync(join(data, 'mods/crash-on-start-1.jar'));
    writeFileSync(join(data, 'mods/crash-on-start-1.jar.disabled'), '');
    expect(started({ TYPE: 'FORGE', ...mods }).error).toBeNull();
  });

  it('does not start with a loader that it was told nothing of', () => {
    expect(started({ TYPE: 'toString' }).error).toBe('This server has no loader TOSTRING.');
  });
});
