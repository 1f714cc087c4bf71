import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentFixture } from './fixture.ts';

const sh = (script: string, ...args: string[]) =>
  spawnSync('sh', ['-ec', script, ...args], { encoding: 'utf8' });
const mounting =
  'truncate -s "$1" "$0.img"; mkfs.ext4 -q -F -m 0 "$0.img"; mkdir -p "$0"; mount -o loop "$0.img" "$0"';

/** Mounts a file system of `size`, such as `600M`, at `point`, by other means than the agent's. Gives whether it could. */
export const mountsAt = (point: string, size: string): boolean => sh(mounting, point, size).status === 0;

/** Unmounts what `mountsAt` mounted, and removes its file. */
export function unmountsAt(point: string): void {
  sh('umount --lazy "$0" || true', point);
  rmSync(`${point}.img`, { force: true });
}

/** Whether a file system in a file can be mounted here so that a container sees its content. */
export async function mountsHere({
  docker,
  image,
}: Pick<AgentFixture, 'docker' | 'image'>): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-mounts-'));
  try {
    if (!mountsAt(join(folder, 'm'), '20M')) return false;
    writeFileSync(join(folder, 'm/found'), '');
    const container = await docker.createContainer({
      Image: image,
      Cmd: ['node', '-e', 'require("fs").statSync("/m/found")'],
      HostConfig: { Binds: [`${folder}/m:/m`] },
    });
    await container.start();
    const { StatusCode } = (await container.wait()) as { StatusCode: number };
    await container.remove();
    return StatusCode === 0;
  } finally {
    unmountsAt(join(folder, 'm'));
    rmSync(folder, { recursive: true, force: true });
  }
}
