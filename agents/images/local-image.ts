import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { kindOffers } from '#db/hosting/server-kinds/rules.ts';
import { acquireMachineLock } from './machine-lock.ts';
import { type Entry, treeOf } from './tar.ts';

/** The package of the demo game server: its own lock file, installed only where images are built. */
export const localKind = join(import.meta.dirname, '../local-kind');
const sources = [
  'server.ts',
  'loader.ts',
  'players.ts',
  'properties.ts',
  'saving.ts',
  'package.json',
] as const;
const versions = kindOffers.local.game_versions;
/** How the image starts its server: without the deprecation warnings of its packages, which would be on every console. */
export const localCommand = ['node', '--no-deprecation', '/app/server.ts'] as const;

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean }>;
}
const lockOf = (path: string): Lock => JSON.parse(readFileSync(join(localKind, path), 'utf8')) as Lock;

/** Whether its packages are installed exactly as its lock file names them. */
function installed(): boolean {
  if (!existsSync(join(localKind, 'node_modules/.package-lock.json'))) return false;
  const found = lockOf('node_modules/.package-lock.json').packages;
  return Object.entries(lockOf('package-lock.json').packages).every(
    ([path, { version }]) => path === '' || found[path]?.version === version,
  );
}

/** Installs its packages when they are missing; of several processes one installs and the others wait. */
export async function ensurePackages(say: (line: string) => void): Promise<void> {
  if (installed()) return;
  const release = await acquireMachineLock(`${localKind} packages`, () =>
    say('Waiting for another process that installs the packages of the demo game server'),
  );
  try {
    if (installed()) return;
    say('Installing the packages of the demo game server (npm ci in agents/local-kind)');
    await install();
  } finally {
    release();
  }
}

/** Runs `npm ci` there without package scripts. Fails with the end of npm's output. */
async function install(): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', args, { cwd: localKind, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-2_000);
    });
  const code = await new Promise<number | null>((done) => {
    npm.on('error', (error) => {
      said += error.message;
      done(null);
    });
    npm.on('close', done);
  });
  if (code !== 0) throw new Error(`npm ci in agents/local-kind failed: ${said.trim()}`);
}

/** Content of the image beside the base, as texts: another text means another image. */
export const localInputs = (): string[] =>
  [
    ...sources.map((name) => join(localKind, name)),
    join(localKind, 'package-lock.json'),
    import.meta.filename,
  ]
    .map((path) => readFileSync(path, 'utf8'))
    .concat(versions.join());

/** The game server and its packages, without test dependencies and without data of other versions of the game. */
export function* localEntries(): Generator<Entry> {
  for (const name of sources) yield { path: `app/${name}`, from: join(localKind, name) };
  const { packages } = lockOf('package-lock.json');
  const kept = keptData();
  const keep = (below: string): boolean => {
    const path = join('node_modules', below);
    if (packages[path]?.dev || /(^|\/)(\.package-lock\.json|\.bin)$|\.(md|map|d\.ts)$/.test(below))
      return false;
    const data = /^minecraft-data\/minecraft-data\/data\/(\w+\/[^/]+)/.exec(below.split(sep).join('/'));
    return !data || data[1] === 'bedrock/common' || kept.has(data[1]!);
  };
  yield* treeOf(join(localKind, 'node_modules'), 'app/node_modules', keep);
}

/** Folders of minecraft-data that the offered versions read: 93 MB of 433. Source: hosting §1b. */
function keptData(): Set<string> {
  const path = 'node_modules/minecraft-data/minecraft-data/data/dataPaths.json';
  const { pc } = JSON.parse(readFileSync(join(localKind, path), 'utf8')) as {
    pc: Record<string, Record<string, string>>;
  };
  // 1.13.2 is always required by name
  return new Set([
    'pc/common',
    'pc/1.13.2',
    ...versions.flatMap((version) => Object.values(pc[version] ?? {})),
  ]);
}
