import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Docker from 'dockerode';
import { unmountEverythingBelow } from '../disk/mounts.ts';

/** A Docker engine for one test that may be killed; the engine of the machine is never touched. */
export interface PrivateDocker {
  /** Value for DOCKER_HOST. */
  address: string;
  /** All its files are in it. */
  folder: string;
  docker: Docker;
  /** Kills the engine alone: containers keep running or not, by its settings. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again with the same data. */
  start(): Promise<void>;
  /** Copies an image from another engine. */
  take(from: Docker, image: string): Promise<void>;
  /** Stops it with all its containers and removes its folders. */
  remove(): Promise<void>;
}

/**
 * Starts a private engine in its own network namespace, where its bridge and rules cannot meet those of the machine's
 * engine; its published ports are reachable only there. Needs root. Source: hosting §7.4.
 */
export async function privateDocker({
  live_restore,
  pid = process.pid,
}: {
  live_restore: boolean;
  /** Of the test: `bin/containers.ts` finds by it whether that still runs. */
  pid?: number;
}): Promise<PrivateDocker> {
  // unix sockets have short names
  const folder = mkdtempSync(join(tmpdir(), `cairn-dockerd-${pid}-`));
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ socketPath });
  const args = [
    `--host=unix://${socketPath}`,
    `--data-root=${join(folder, 'data')}`,
    `--exec-root=${join(folder, 'exec')}`,
    `--pidfile=${join(folder, 'pid')}`,
    '--log-level=warn',
    ...(live_restore ? ['--live-restore'] : []),
  ];
  // the namespace must outlive the engine, as the network of a machine does: a process stays in it
  const network = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise<void>((done, fail) => {
    network.stdout.once('data', () => done());
    network.once('error', fail);
    network.once('exit', () => fail(new Error('This test needs root: it makes a network of its own.')));
  });
  let engine: ChildProcess | null = null;
  const one: PrivateDocker = {
    address: `unix://${socketPath}`,
    folder,
    docker,
    async start() {
      const log = openSync(join(folder, 'log'), 'a');
      const child = spawn('nsenter', [`--net=/proc/${network.pid}/ns/net`, 'dockerd', ...args], {
        stdio: ['ignore', log, log],
        env: { ...process.env, DOCKER_HOST: '' },
      });
      engine = child;
      while (!(await answers(docker))) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(
            `The private engine ended: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`,
          );
        await setTimeout(50);
      }
    },
    async kill(signal) {
      const child = engine;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((done) => child.once('exit', () => done()));
      child.kill(signal);
      await gone;
      // its containerd ends a little later; an engine that starts sooner would wait for it in vain
      while (containerd(folder)) await setTimeout(20);
      // where zombies are not reaped, it would take that process id for a running process
      rmSync(join(folder, 'exec/containerd/containerd.pid'), { force: true });
    },
    async take(from, image) {
      const stream = await docker.loadImage(await from.getImage(image).get());
      await new Promise<void>((done, fail) =>
        docker.modem.followProgress(stream, (error) => (error ? fail(error) : done())),
      );
    },
    async remove() {
      if (await answers(docker)) {
        const list = await docker.listContainers({ all: true });
        await Promise.all(list.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
      }
      await one.kill('SIGTERM');
      endOrphans(folder);
      network.stdin.end();
      unmountEverythingBelow(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await one.start();
  } catch (error) {
    await one.remove();
    throw error;
  }
  return one;
}

const answers = (docker: Docker): Promise<boolean> =>
  docker.ping().then(
    () => true,
    () => false,
  );

/** Whether its containerd still runs. */
function containerd(folder: string): boolean {
  try {
    const pid = readFileSync(join(folder, 'exec/containerd/containerd.pid'), 'utf8').trim();
    return /^State:\s+[^ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Its containerd and the shims of its containers outlive a killed engine; their arguments name its folder. */
function endOrphans(folder: string): void {
  const list = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n');
  for (const line of list.filter((text) => text.includes(`${folder}/`))) {
    const pid = Number.parseInt(line, 10);
    if (pid && pid !== process.pid) signal(pid);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended meanwhile
  }
}
