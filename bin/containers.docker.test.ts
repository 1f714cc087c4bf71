import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterEach, expect, it, vi } from 'vitest';
import { ensureImage } from '#agents/images/ensure-image.ts';
import { type PrivateDocker, privateDocker } from '#agents/testing/private-docker.ts';
import { removeLeftovers, test_label } from './containers.ts';
import { removeStaleRuns } from './run-folder.ts';

/** What a killed test leaves, and what others use. */
const docker = new Docker();
const ended = spawnSync('true').pid;
const containers: Docker.Container[] = [];
let engine: PrivateDocker | null = null;
afterEach(async () => {
  for (const one of containers.splice(0)) await one.remove({ force: true }).catch(() => {});
  await engine?.remove();
});

it('removes what tests left that were killed, and nothing of those that run', async () => {
  const Image = await ensureImage(docker, { build: 'base' });
  for (const pid of [ended, process.pid])
    containers.push(
      await docker.createContainer({ Image, Cmd: ['node'], Labels: { [test_label]: String(pid) } }),
    );
  engine = await privateDocker({ live_restore: false, pid: ended });
  // as those of a container do, it names the folder and outlives the engine
  const orphan = spawn('tail', ['-f', '/dev/null', `${engine.folder}/pid`]);
  await engine.kill('SIGKILL');
  mkdirSync(join(engine.folder, 'left'));

  await removeStaleRuns();
  await removeLeftovers(null);
  const [left, other] = containers;
  await expect(left!.inspect()).rejects.toMatchObject({ statusCode: 404 });
  expect((await other!.inspect()).Id).toBe(other!.id);
  expect(existsSync(engine.folder)).toBe(false);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(engine.folder);
  await vi.waitFor(() => expect(orphan.signalCode).not.toBeNull());
});
