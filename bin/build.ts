import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkedOut } from '#site/api/commit.ts';
import { contentProblems } from './check-content.ts';
import { compress } from './compress.ts';
import { root } from './install.mjs';
import { take } from './lock.mjs';
import { missingAssets } from './missing-assets.ts';
import { packSources } from './source-archive.ts';
import { UserError } from './user-error.ts';

const mark = join(root, 'dist/.cairn-build');
/** All sources of the bundle. Islands import rules of db/, so these count too. */
const sources = [
  'site',
  'content',
  'db',
  'astro.config.mjs',
  'astro-i18next.config.cjs',
  'tsconfig.json',
  'package-lock.json',
];
const ignored = /\.(test|e2e)\.ts$|\/testing\/|\.sql$|README\.md$/;

/** A hash that changes with every source of the site. */
export function sourcesHash(): string {
  const hash = createHash('sha256');
  const add = (path: string) =>
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  for (const source of sources) {
    if (!existsSync(join(root, source))) continue;
    if (source.includes('.')) add(source);
    else
      for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && !ignored.test(one.name))
        .map((one) => join(one.parentPath, one.name).slice(root.length))
        .sort())
        add(entry);
  }
  return hash.digest('hex');
}

const built = (): string | null => (existsSync(mark) ? readFileSync(mark, 'utf8') : null);
/** Whether the last build is of these sources, and has the languages wanted. */
const isBuilt = (hash: string, pseudo: boolean): boolean =>
  built() === `${hash} pseudo` || (built() === hash && !pseudo);

/**
 * Builds the site when its sources changed since the last build; of several concurrent starts one builds. On failure it
 * ends the start with the output of the builder. `pseudo`: pages are prerendered in the languages for tests as well.
 */
export async function build(
  stop: AbortSignal,
  say: (line: string) => void,
  pseudo = process.env.PSEUDO_LOCALES === '1',
): Promise<void> {
  const hash = sourcesHash();
  if (isBuilt(hash, pseudo)) return;
  const release = await lock(stop, say);
  try {
    if (isBuilt(hash, pseudo)) return;
    say('Building the site, because its sources changed.');
    const problems = contentProblems(join(root, 'content'));
    if (problems.length > 0)
      throw new UserError(`The texts of content/ have mistakes:\n${problems.join('\n')}`);
    await astroBuild(stop, pseudo);
    movePrerendered();
    const missing = missingAssets(join(root, 'dist'));
    if (missing.length > 0)
      throw new UserError(`The built pages name files that were not built:\n${missing.join('\n')}`);
    await compress(join(root, 'dist/client'));
    await packSources(root, join(root, 'dist/client/source.tgz'));
    stop.throwIfAborted();
    writeFileSync(join(root, 'dist/.cairn-commit'), checkedOut(root) ?? process.env.COMMIT ?? '');
    writeFileSync(mark, pseudo ? `${hash} pseudo` : hash);
  } finally {
    release();
  }
}

/** Prerendered pages are not files for everybody: the site fills in its settings and chooses the language. */
function movePrerendered(): void {
  const [from, to] = [join(root, 'dist/client/static'), join(root, 'dist/pages')];
  rmSync(to, { recursive: true, force: true });
  if (existsSync(from)) renameSync(from, to);
  else mkdirSync(to);
}

async function lock(stop: AbortSignal, say: (line: string) => void): Promise<() => void> {
  for (let first = true; ; first = false) {
    const taken = take(join(root, '.tmp/build.lock'));
    if ('release' in taken) return taken.release;
    if (first) say(`Waiting for process ${taken.owner.pid}, which is building the site.`);
    await setTimeout(200, undefined, { signal: stop });
  }
}

async function astroBuild(stop: AbortSignal, pseudo: boolean): Promise<void> {
  // most of what rendering a page makes is garbage at its end
  const args = ['--max-semi-space-size=64', join(root, 'node_modules/astro/bin/astro.mjs'), 'build'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
      PSEUDO_LOCALES: pseudo ? '1' : '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stop,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-8_000);
    });
  const code = await new Promise<number | null>((done) => {
    child.on('error', () => done(null));
    child.on('exit', done);
  });
  if (code !== 0 && !stop.aborted) throw new UserError(`${said}\nThe site could not be built: see above.`);
}

// `npm run build`, for images and packagers
if (import.meta.main) {
  await build(new AbortController().signal, console.log).catch((error) => {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  });
}
