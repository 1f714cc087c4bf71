// Plain JS for any Node from 20.11 on: it installs what everything else runs on (bin/README.md).
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeWhenFree } from './lock.mjs';
import { patched } from './patched.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Whether node_modules matches package-lock.json and is patched; with the packages that only tests and checks use, when `tools`.
 * @param {boolean} tools
 */
export const installed = (tools) => complete(tools) && isPatched() === true;

/** Whether node_modules has the current patches; null when it was never patched, as after `npm ci` by hand. */
function isPatched() {
  try {
    return patched();
  } catch {
    return null;
  }
}

/** @typedef {Record<string, { version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }>} Packages */

/** @returns {Packages} */
const packages = (/** @type {string} */ path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

/**
 * Whether node_modules matches package-lock.json. npm writes its own lock file last, so an interrupted install does not
 * count; packages for other platforms may be absent, and unless `tools` what only tests and checks use.
 * @param {boolean} tools
 */
function complete(tools) {
  try {
    const wanted = packages('package-lock.json');
    const found = packages('node_modules/.package-lock.json');
    return Object.entries(wanted).every(([path, { version, optional, dev, devOptional }]) => {
      if (path === '') return true;
      if (found[path]) return found[path].version === version;
      return optional === true || devOptional === true || (dev === true && !tools);
    });
  } catch {
    return false;
  }
}

/** Whether tests or checks ran in this checkout: then their packages stay. */
function hasTools() {
  try {
    return Object.values(packages('node_modules/.package-lock.json')).some(({ dev }) => dev === true);
  } catch {
    return false;
  }
}

/**
 * Runs `npm ci` and patches when something is missing; of several concurrent commands, one installs and the others wait. Ends this
 * process when npm failed. What only tests and checks use, a quarter of all, is left out unless `tools`.
 * @param {boolean} tools
 */
export async function install(tools) {
  if (installed(tools)) return;
  const release = takeWhenFree(join(root, '.tmp/install.lock'), ({ pid }) =>
    console.error(`Waiting for process ${pid}, which is installing the packages.`),
  );
  try {
    if (installed(tools)) return;
    const code = await installAndPatch(tools);
    if (code !== 0) {
      if (code < 128)
        console.error(
          'The packages could not be installed: see the output of npm above. Then run the same command again.',
        );
      release();
      process.exit(code);
    }
  } finally {
    release();
  }
}

/**
 * Gives the exit code of what failed, else 0. No script of a package runs (.npmrc); ours is run here.
 * @param {boolean} tools
 */
async function installAndPatch(tools) {
  // patches of packages that only tests use are left out with them
  const env = { ...process.env, ...(!tools && !hasTools() && { NODE_ENV: 'production' }) };
  const run = (/** @type {string[]} */ args) =>
    become('npm', args, { cwd: root, stdio: ['ignore', 2, 2], env });
  const patch = ['run', '--silent', 'patch'];
  if (complete(tools) && isPatched() === null && (await run(patch)) === 0) return 0;
  const dev = tools || hasTools() ? '--include=dev' : '--omit=dev';
  // the product may be running from these packages: npm ci would remove them first
  const adds = tools && complete(false) && !complete(true) && isPatched() === true;
  const command = adds ? ['install', '--no-save'] : ['ci'];
  console.error(
    adds
      ? 'Installing what tests and checks need; only the first one needs this.'
      : 'Installing packages (npm ci); only the first start needs this.',
  );
  const args = [...command, '--ignore-scripts', dev, '--include=optional'];
  const code = await run([...args, '--no-audit', '--no-fund', '--loglevel=error']);
  return code || (await run(patch));
}

/**
 * Runs a program in place of this process: signals are forwarded. Gives its exit code, 128 + the signal's number when a
 * signal ended it.
 * @param {string} program @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
function become(program, args, options) {
  return new Promise((done) => {
    const child = spawn(program, args, options);
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, pass);
    child.on('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      done(1);
    });
    child.on('exit', (code, signal) => {
      for (const one of signals) process.off(one, pass);
      done(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/** The Node from npm, else the system's when it is new enough to strip types; otherwise exits with a message. */
function node() {
  const own = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(own)) return own;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  console.error(
    `Cairn needs Node 22.18 or newer on ${process.platform}-${process.arch} (npm brings one for Linux only); this is ${process.version}.`,
  );
  return process.exit(1);
}

/**
 * Installs what is missing, then becomes `script` on the project's own Node: signals are forwarded, the exit code is
 * kept, and when this process is killed, the script sees its channel close.
 * @param {string} script path below the project's folder
 * @param {{ stays?: boolean, tools?: boolean }} options `stays`: a long-running process, which gets little memory and
 * everything compiled before; others find what earlier ones compiled. `tools`: it needs packages that the product does not
 */
export async function node24(script, { stays = false, tools = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 11)) {
    console.error(`Cairn needs Node 20.11 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  await install(tools);
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`;
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH: path };
  if (stays) await compile(env);
  const flags = stays ? lean : [];
  const code = await become(node(), [...flags, join(root, script), ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  process.exit(code);
}

/** Node's compile cache. */
export const compileCache = join(root, '.tmp/compile-cache');
/**
 * For processes with little work: limits the young generation, for which V8 would use 48 MB before it collects garbage, and
 * keeps Node's remarks about algorithms that libraries look for out of the console.
 */
export const lean = ['--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'];

/**
 * Compiles all sources of the product into the cache, in a separate process, unless nothing changed since the last time. A
 * process that finds its modules there does not load the TypeScript compiler, which would take 20 MB permanently. Takes
 * seconds with an empty cache.
 * @param {NodeJS.ProcessEnv} env
 */
export async function compile(env) {
  const mark = join(env.NODE_COMPILE_CACHE ?? compileCache, 'all-compiled');
  if (isNewest(mark)) return;
  const code = await become(node(), [join(root, 'bin/compile.ts')], { cwd: root, stdio: 'ignore', env });
  if (code >= 128) process.exit(code); // the script itself reports a failure better
  if (code !== 0) return;
  try {
    writeFileSync(mark, '');
  } catch {
    // a cache that cannot be written, or is turned off
  }
}

/**
 * Whether no package and no source was changed after this file. A file that changes meanwhile is compiled by whoever loads it.
 * @param {string} mark
 */
function isNewest(mark) {
  const changed = (/** @type {string} */ path) => statSync(path).mtimeMs;
  try {
    const since = changed(mark);
    return (
      changed(join(root, 'node_modules/.package-lock.json')) < since &&
      ['agents', 'bin', 'content', 'control-plane', 'db', 'site'].every((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).every(
          (path) => !/\.m?ts$/.test(path) || changed(join(root, folder, path)) < since,
        ),
      )
    );
  } catch {
    return false;
  }
}
