import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from './install.mjs';

/** Commands of a checkout with one package, which is a folder of it: npm needs no registry. */
const folder = mkdtempSync(join(tmpdir(), 'cairn-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = { name: 'sample', version: '1.0.0', dependencies: { pebble: 'file:pebble' } };
const lock = {
  ...{ name: own.name, version: own.version, lockfileVersion: 3, requires: true },
  packages: {
    '': own,
    'node_modules/pebble': { resolved: 'pebble', link: true },
    pebble: { version: '1.0.0' },
  },
};
/** A script of a package that leaves a trace. */
const runs = (name: string): string => `node -e "fs.writeFileSync('${join(folder, `ran-${name}`)}', '')"`;
const write = (path: string, content: unknown) =>
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['bin', 'patches', 'pebble']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin/install.mjs', 'bin/lock.mjs', 'bin/patched.mjs', '.npmrc'])
    cpSync(join(root, name), join(folder, name));
  write('package.json', { ...own, scripts: { patch: 'node bin/patched.mjs' } });
  write('package-lock.json', lock);
  const scripts = { preinstall: runs('pre'), install: runs('install'), postinstall: runs('post') };
  write('pebble/package.json', { name: 'pebble', version: '1.0.0', scripts });
  write('bin/start.mjs', "import { node24 } from './install.mjs';\nawait node24('bin/main.mjs');\n");
  write(
    'bin/main.mjs',
    "await import('pebble/package.json', { with: { type: 'json' } });\nconsole.log('started');\n",
  );
});

/** Runs a command of the checkout; gives what it printed, and its exit code. */
async function command(script = 'bin/start.mjs'): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { ...env, npm_config_offline: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}
/** Without what the npm that runs the tests tells its programs: its settings would count as those of the checkout. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
const npm = async (args: string[]): Promise<void> => {
  const child = spawn('npm', args, { cwd: folder, env, stdio: 'ignore' });
  await new Promise((done) => child.once('close', done));
};
const installing = /^Installing packages \(npm ci\)/gm;

// npm takes seconds on a busy machine
describe('the first command of a checkout', { timeout: 120_000 }, () => {
  it('installs what is missing, and later ones nothing', async () => {
    const first = await command();
    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(installing) });
    expect(first.output).toMatch(/^started$/m);
    expect(await command()).toEqual({ code: 0, output: 'started\n' });
  });

  it('runs no script of a package, whichever way it is installed', async () => {
    expect((await command()).code).toBe(0);
    await npm(['rebuild', '--offline']);
    await npm(['ci', '--offline']);
    expect(readdirSync(folder).filter((name) => name.startsWith('ran-'))).toEqual([]);
    // the check itself: without the file they run
    rmSync(join(folder, '.npmrc'));
    await npm(['rebuild', '--offline']);
    expect(readdirSync(folder).filter((name) => name.startsWith('ran-'))).not.toEqual([]);
  });

  it('leaves out what only checks use, and adds it for them to what a product may be running from', async () => {
    mkdirSync(join(folder, 'flint'));
    write('flint/package.json', { name: 'flint', version: '1.0.0' });
    const both = { ...own, devDependencies: { flint: 'file:flint' } };
    write('package.json', { ...both, scripts: { patch: 'node bin/patched.mjs' } });
    const { packages } = lock;
    const flint = {
      'node_modules/flint': { resolved: 'flint', link: true, dev: true },
      flint: { version: '1.0.0', dev: true },
    };
    write('package-lock.json', { ...lock, packages: { ...packages, ...flint, '': both } });
    write(
      'bin/check.mjs',
      "import { node24 } from './install.mjs';\nawait node24('bin/main.mjs', { tools: true });\n",
    );
    const has = (path: string) => existsSync(join(folder, 'node_modules', path));
    expect((await command()).output).toMatch(installing);
    expect([has('pebble'), has('flint')]).toEqual([true, false]);
    writeFileSync(join(folder, 'node_modules/.stays'), '');

    const checked = await command('bin/check.mjs');
    expect(checked).toMatchObject({
      code: 0,
      output: expect.stringContaining('Installing what tests and checks need'),
    });
    expect([has('pebble'), has('flint'), has('.stays')]).toEqual([true, true, true]);
    expect(await command('bin/check.mjs')).toEqual({ code: 0, output: 'started\n' });
    expect(await command()).toEqual({ code: 0, output: 'started\n' });
    // a new install keeps what was used before
    rmSync(join(folder, 'node_modules/.cairn-patches'));
    write('patches/pebble+1.0.0.patch', 'changed');
    expect((await command()).code).toBe(0);
    expect(has('flint')).toBe(true);
  });

  it('only patches what npm ci installed by hand', async () => {
    await npm(['ci', '--offline']);
    expect(await command()).toEqual({ code: 0, output: 'started\n' });
  });

  it('installs again after an interrupted install, and after a change of a patch', async () => {
    await command();
    // npm writes it last
    rmSync(join(folder, 'node_modules/.package-lock.json'));
    expect((await command()).output).toMatch(installing);
    write('patches/pebble+1.0.0.patch', 'changed');
    expect((await command()).output).toMatch(installing);
    expect((await command()).output).not.toMatch(installing);
  });

  it('installs once for several commands at the same time', async () => {
    const ran = await Promise.all([command(), command(), command()]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(
      ran
        .map(({ output }) => output)
        .join('')
        .match(installing),
    ).toHaveLength(1);
    for (const { output } of ran) expect(output).toMatch(/^started$/m);
  });

  it('ends with what to do when npm fails, and starts nothing', async () => {
    write('package.json', { ...own, dependencies: { ...own.dependencies, gravel: '1.0.0' } });
    const { code, output } = await command();
    expect(code).not.toBe(0);
    expect(output).toContain('The packages could not be installed: see the output of npm above.');
    expect(output).not.toContain('started');
    expect(existsSync(join(folder, '.tmp/install.lock'))).toBe(false);
  });
});
