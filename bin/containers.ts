import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
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
 * Removes the game servers with data below `folder`, those of tests whose data folder is gone, and other containers of tests
 * that ended: leftovers of a killed test run, after `removeStaleRuns`; unmounts the disks below `folder`. What runs and what is
 * not of a test is never touched. Gives how many were removed.
 */
export async function removeLeftovers(folder: string | null): Promise<number> {
  const docker = new Docker({ timeout: 60_000 });
  const servers = await docker.listContainers({
    all: true,
    filters: { label: [labels.installation, labels.server] },
  });
  const others = await docker.listContainers({ all: true, filters: { label: [test_label] } });
  const left = [
    ...servers.filter(({ Mounts }) => {
      const [data] = Mounts.filter(({ Type }) => Type === 'bind');
      return data && ((folder && data.Source.startsWith(`${folder}/`)) || isOfEndedTest(data.Source));
    }),
    ...others.filter(({ Labels }) => !existsSync(`/proc/${Labels[test_label]}`)),
  ];
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  // while mounted, they can neither be removed nor created again
  if (folder) await unmountBelow(folder);
  return left.length;
}

/** Of containers that are no game servers: the process of their test. */
export const test_label = 'cairn.test';

/**
 * Whether a server had its data in a folder of a test that was removed. Its own folder may be gone while its agent runs; the
 * parent folder is deleted with the installation.
 */
const isOfEndedTest = (data: string): boolean =>
  (/\/cairn-(?:run|agent|start)-\d+-\w{6}\//.test(data) || data.includes('/.tmp/')) &&
  !existsSync(dirname(data));
