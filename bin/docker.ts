import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Docker from 'dockerode';
import { removeLeftovers } from './containers.ts';
import { type EngineUsers, engineUsers } from './engine-users.ts';
import { root } from './install.mjs';
import { canInstallPackages, installPackages } from './install-packages.ts';
import { startOf } from './lock.mjs';
import { outsideRunFolder } from './run-folder.ts';
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

/** The engine of a test run; `stop` ends it if a test run started it and nothing else uses it. */
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
  const isRoot = process.getuid?.() === 0;
  if (process.env.DOCKER_HOST || !isRoot) {
    if (await dockerAnswers()) return { stop: async () => {} };
    if (process.env.DOCKER_HOST)
      throw new UserError(`No Docker engine answers at DOCKER_HOST=${process.env.DOCKER_HOST}.`);
    throw new UserError(`No Docker engine answers, and only root can start one. ${advice}`);
  }
  const users = engineUsers();
  return await users.alone(async () => {
    await ensureStarted(users, say);
    users.join();
    return { stop: () => users.alone(() => leave(users)) };
  });
}

async function ensureStarted(users: EngineUsers, say: (line: string) => void): Promise<void> {
  if (await dockerAnswers()) return;
  if (!dockerd()) await installEngine(say);
  // installing the package may have started it
  if (await dockerAnswers()) return;
  say('Starting a Docker engine for the tests.');
  mkdirSync(join(root, '.tmp'), { recursive: true });
  for (const way of ways) {
    const pid = await startEngine(way);
    if (pid !== null) return users.started(pid);
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

/** The process of the engine once it answers; null when it exited. It outlives this run while another one uses it. */
async function startEngine(way: readonly string[]): Promise<number | null> {
  const out = openSync(log, 'w');
  const child: ChildProcess = spawn(dockerd()!, ['--log-level=warn', ...way], {
    detached: true,
    stdio: ['ignore', out, out],
    env: outsideRunFolder(),
  });
  child.on('error', () => {});
  while (child.pid && child.exitCode === null && child.signalCode === null) {
    if (await dockerAnswers()) {
      child.unref();
      return child.pid;
    }
    await setTimeout(100);
  }
  return null;
}

/** Stops the engine if a test run started it, no other run uses it, and nothing that is none of ours runs in it. */
async function leave(users: EngineUsers): Promise<void> {
  users.leave();
  const pid = users.startedEngine();
  if (pid === null || users.hasOthers()) return;
  // a stopping engine waits ten seconds for each that ignores SIGTERM
  await removeLeftovers(null).catch(() => 0);
  const running = await new Docker({ timeout: 10_000 }).listContainers().catch(() => []);
  if (running.length > 0) return;
  process.kill(pid, 'SIGTERM');
  while (startOf(pid) !== null) await setTimeout(50);
}
