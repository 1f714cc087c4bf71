import { existsSync, readdirSync, rmSync } from 'node:fs';
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
 * Removes the game servers with data below `folder`, and those whose data folder is gone: leftovers of an interrupted
 * test run; unmounts their disks. Containers that are not Cairn's are never touched. Gives how many were removed.
 */
export async function removeLeftovers(folder: string | null): Promise<number> {
  const cutOff = agentsCutOff();
  const docker = new Docker({ timeout: 60_000 });
  const list = await docker.listContainers({
    all: true,
    filters: { label: [labels.installation, labels.server] },
  });
  const left = list.filter(({ Mounts }) => {
    const [data] = Mounts.filter(({ Type }) => Type === 'bind');
    if (!data) return false;
    const below = [...cutOff, ...(folder ? [folder] : [])].some((one) => data.Source.startsWith(`${one}/`));
    // its own folder may be gone while its agent runs; the parent folder is deleted with the installation
    return below || !existsSync(dirname(data.Source));
  });
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  // while mounted, they can neither be removed nor created again
  for (const one of [...cutOff, ...(folder ? [folder] : [])]) await unmountBelow(one);
  for (const one of cutOff) rmSync(one, { recursive: true, force: true });
  return left.length;
}

/** Folders of test agents whose process is gone, so that nothing else cleans them up. */
function agentsCutOff(): string[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const pid = /^cairn-agent-(\d+)-\w{6}$/.exec(name)?.[1];
    return pid && !existsSync(`/proc/${pid}`) ? [join(tmpdir(), name)] : [];
  });
}
