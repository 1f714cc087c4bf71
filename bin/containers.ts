import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Docker from 'dockerode';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';

/** The Docker engine is queried while a user waits: without an answer in time it counts as unavailable. */
const engine = () => new Docker({ timeout: 2_000 });

/** How many game servers of a node are running; 0 when the engine does not answer. */
export async function runningOn(node_id: string): Promise<number> {
  const filters = { label: [`${labels.node}=${node_id}`], status: ['running'] };
  const list = await engine()
    .listContainers({ filters })
    .catch(() => []);
  return list.length;
}

/**
 * Removes what test runs that were interrupted left in the Docker engine and on this machine: game servers with data below
 * `folder`, or in a folder of a test that ended, and its disks and private engines. What runs and what is not of a test is
 * never touched. Gives how many containers were removed.
 */
export async function removeLeftovers(folder: string | null): Promise<number> {
  const cutOff = foldersCutOff();
  const docker = new Docker({ timeout: 60_000 });
  const gone = [...cutOff, ...(folder ? [folder] : [])];
  const servers = await docker.listContainers({
    all: true,
    filters: { label: [labels.installation, labels.server] },
  });
  const others = await docker.listContainers({ all: true, filters: { label: [test_label] } });
  const left = [
    ...servers.filter(({ Mounts }) => {
      const [data] = Mounts.filter(({ Type }) => Type === 'bind');
      return data && (gone.some((one) => data.Source.startsWith(`${one}/`)) || isOfEndedTest(data.Source));
    }),
    ...others.filter(({ Labels }) => !isRunning(Number(Labels[test_label]))),
  ];
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  // while mounted, they can neither be removed nor created again
  for (const one of gone) await unmountBelow(one);
  for (const one of cutOff) {
    endPrivateEngine(one);
    rmSync(one, { recursive: true, force: true });
  }
  return left.length;
}

/** Of containers that are no game servers: the process of their test. */
export const test_label = 'cairn.test';

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Folders of test agents and private engines whose process is gone, so that nothing else cleans them up. */
function foldersCutOff(): string[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const pid = /^cairn-(?:agent|dockerd)-(\d+)-\w{6}$/.exec(name)?.[1];
    return pid && !isRunning(Number(pid)) ? [join(tmpdir(), name)] : [];
  });
}

/**
 * Whether a server had its data in a folder of a test that was removed. Its own folder may be gone while its agent runs; the
 * parent folder is deleted with the installation.
 */
const isOfEndedTest = (data: string): boolean =>
  (data.startsWith(join(tmpdir(), 'cairn-')) || data.includes('/.tmp/')) && !existsSync(dirname(data));

/** The processes of an engine that a test started for itself name its folder; its mounts are below it. */
function endPrivateEngine(folder: string): void {
  const list = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n');
  for (const line of list.filter((text) => text.includes(`${folder}/`)))
    spawnSync('kill', ['-KILL', String(Number.parseInt(line, 10))]);
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of points.reverse()) spawnSync('umount', ['--lazy', point]);
}
