import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindOffers } from '../../db/hosting/server-kinds/rules.ts';
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

describe('the demo server in place of a loader', () => {
  it.each([
    ['FABRIC', ['Loaded mod axe.jar', 'Loaded mod sky.jar']],
    ['neoforge', ['Loaded mod axe.jar', 'Loaded mod sky.jar']],
    ['PAPER', ['Loaded plugin chat.jar']],
    ['VANILLA', []],
  ])('names the files that %s would load', (TYPE, loaded) => {
    const { lines, error } = started({ TYPE });
    expect(error).toBeNull();
    expect(lines.filter((line) => line.startsWith('Loaded'))).toEqual(loaded);
  });

  it.each(Object.keys(kindOffers.local.loaders))('knows the loader %s, which its kind offers', (loader) => {
    const { lines, error } = started({ TYPE: loader.toUpperCase() });
    expect([error, lines.find((line) => line.startsWith('Loader: '))]).toEqual([
      null,
      expect.stringContaining(loader),
    ]);
  });

  it('says which version, heap and flags it was told', () => {
    const env = { TYPE: 'QUILT', QUILT_LOADER_VERSION: '0.27.1', MEMORY: '384M', JVM_OPTS: '-Da=b' };
    expect(started({ ...env, JVM_XX_OPTS: '-XX:+UseG1GC' }).lines.slice(0, 2)).toEqual([
      'Java flags: -XX:+UseG1GC -Da=b; heap: 384M',
      'Loader: quilt 0.27.1',
    ]);
  });

  it('does not start with a file that is there for that, unless it is disabled', () => {
    writeFileSync(join(data, 'mods/crash-on-start-1.jar'), '');
    expect(started({ TYPE: 'FORGE' }).error).toBe(
      'The mod crash-on-start-1.jar failed to load: remove or disable it.',
    );
    expect(started({ TYPE: 'PAPER' }).error).toBeNull();
    rmSync(join(data, 'mods/crash-on-start-1.jar'));
    writeFileSync(join(data, 'mods/crash-on-start-1.jar.disabled'), '');
    expect(started({ TYPE: 'FORGE' }).error).toBeNull();
  });

  it('says which loaders there are when it does not know one', () => {
    expect(started({ TYPE: 'toString' }).error).toMatch(/no loader TOSTRING: use one of VANILLA, FABRIC/);
  });
});
