import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Docker from 'dockerode';
import { root } from './install.mjs';
import { canInstallPackages, installPackages } from './install-packages.ts';
import { UserError } from './user-error.ts';

/** Whether a Docker engine answers at DOCKER_HOST or its usual socket, within two seconds. */
export async function dockerAnswers(): Promise<boolean> {
  try {
    await new Docker({ timeout: 2_000 }).ping();
    return true;
  } catch {
    return false;
  }
}

/** The engine of a test run; `stop` ends it only if this run started it. */
export interface TestEngine {
  stop(): Promise<void>;
}

const places = ['/usr/sbin/dockerd', '/usr/bin/dockerd', '/usr/local/bin/dockerd'];
const dockerd = () => places.find((path) => existsSync(path));
const log = join(root, '.tmp/dockerd.log');
/** Tried in turn: the default, then for machines that cannot mount layers or filter packets. */
const ways = [[], ['--storage-driver=vfs'], ['--storage-driver=vfs', '--iptables=false']];
const advice = 'Install one (Debian, as root: apt-get install -y docker.io), start it, and run this again.';

/**
 * A Docker engine for tests: the running one, else one that is installed and started here where possible (root,
 * Debian). Throws a `UserError` with instructions. Source: hosting §7.1.
 */
export async function ensureDocker(say: (line: string) => void): Promise<TestEngine> {
  if (await dockerAnswers()) return { stop: async () => {} };
  if (process.env.DOCKER_HOST)
    throw new UserError(`No Docker engine answers at DOCKER_HOST=${process.env.DOCKER_HOST}.`);
  if (process.getuid?.() !== 0)
    throw new UserError(`No Docker engine answers, and only root can start one. ${advice}`);
  if (!dockerd()) await installEngine(say);
  // installing the package may have started it
  if (await dockerAnswers()) return { stop: async () => {} };
  say('Starting a Docker engine for the tests.');
  mkdirSync(join(root, '.tmp'), { recursive: true });
  for (const way of ways) {
    const child = await started(way);
    if (child) return { stop: () => stopEngine(child) };
  }
  const said = readFileSync(log, 'utf8').trim().split('\n').slice(-3).join('\n');
  throw new UserError(`The Docker engine does not start here: ${said}\n${advice}`);
}

async function installEngine(say: (line: string) => void): Promise<void> {
  if (!canInstallPackages()) throw new UserError(`There is no Docker engine. ${advice}`);
  say('Installing docker.io with apt-get, because the tests need a Docker engine.');
  const failure = await installPackages(['docker.io'], { recommended: true });
  if (!dockerd())
    throw new UserError(`${failure ?? 'The package docker.io has no dockerd here.'}\n${advice}`);
}

/** The engine once it answers; null when it exited. It belongs to our process group, so Ctrl-C ends it too. */
async function started(way: readonly string[]): Promise<ChildProcess | null> {
  const out = openSync(log, 'w');
  const child = spawn(dockerd()!, ['--log-level=warn', ...way], { stdio: ['ignore', out, out] });
  child.on('error', () => {});
  while (child.pid && child.exitCode === null && child.signalCode === null) {
    if (await dockerAnswers()) {
      child.unref();
      // the engine ends with this run, however that ends
      process.once('exit', () => child.kill('SIGTERM'));
      return child;
    }
    await setTimeout(100);
  }
  return null;
}

/** Removes our containers first: a stopping engine waits ten seconds for each that ignores SIGTERM. */
async function stopEngine(child: ChildProcess): Promise<void> {
  const docker = new Docker({ timeout: 60_000 });
  for (const label of ['cairn.installation', 'cairn.run']) {
    const list = await docker.listContainers({ all: true, filters: { label: [label] } }).catch(() => []);
    await Promise.all(
      list.map(({ Id }) =>
        docker
          .getContainer(Id)
          .remove({ force: true, v: true })
          .catch(() => {}),
      ),
    );
  }
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  child.ref();
  child.kill('SIGTERM');
  await gone;
}
