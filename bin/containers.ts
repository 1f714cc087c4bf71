import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Docker from 'dockerode';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';

/** The Docker engine may be asked while a person waits: it answers soon, or counts as away. */
const engine = () => new Docker({ timeout: 2_000 });

/** How many game servers of a node run right now; 0 when the engine does not answer. */
export async function runningOn(node_id: string): Promise<number> {
  const filters = { label: [`${labels.node}=${node_id}`], status: ['running'] };
  const list = await engine()
    .listContainers({ filters })
    .catch(() => []);
  return list.length;
}

/**
 * Removes the game servers whose data folder lies below `folder`, and those whose data folder is gone altogether: what
 * a test run left that was cut off; and unmounts their disks. Containers that are not Cairn's are never touched. Gives how
 * many were removed.
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
    // its own folder may be gone while its agent lives; the folder of all of them goes with the installation
    return below || !existsSync(dirname(data.Source));
  });
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  // mounted, they could neither be removed nor made anew
  for (const one of [...cutOff, ...(folder ? [folder] : [])]) await unmountBelow(one);
  for (const one of cutOff) rmSync(one, { recursive: true, force: true });
  return left.length;
}

/** Folders of test agents (`testGround`) whose process is gone, so that nobody else takes them away. */
function agentsCutOff(): string[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const pid = /^cairn-agent-(\d+)-\w{6}$/.exec(name)?.[1];
    return pid && !existsSync(`/proc/${pid}`) ? [join(tmpdir(), name)] : [];
  });
}
