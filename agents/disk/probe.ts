import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { isUnavailable, statusOf } from '../docker/client.ts';
import { makeImage, mountImage } from './image.ts';
import { imageAt, unmount } from './mounts.ts';

/** Large enough for what a file system needs itself. */
const probe_mb = 8;

/**
 * Why no images can be mounted below `disks` for servers, in words; null when they can. One is made, mounted, and the
 * engine asked whether it sees what lies in it: it may live among other mounts than this process. Throws when the engine
 * does not answer.
 */
export async function whyNoImages(disks: string, docker: Docker): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may mount';
  const [image, point] = [join(disks, 'probe.img'), join(disks, 'probe')];
  await removeProbe(image, point);
  try {
    await makeImage(image, probe_mb, 0);
    await mountImage(image, point);
    if (!(await imageAt(point))) return 'what is mounted cannot be seen';
    const inside = join(point, randomUUID());
    if (await engineSees(docker, inside)) return 'the engine does not say what it sees';
    await mkdir(inside);
    return (await engineSees(docker, inside)) ? null : 'the engine does not see what is mounted here';
  } catch (error) {
    if (isUnavailable(error) && statusOf(error) === null) throw error;
    return (error as Error).message;
  } finally {
    await removeProbe(image, point);
  }
}

/** Also of a process that was killed while it tried. */
async function removeProbe(image: string, point: string): Promise<void> {
  await unmount(point);
  await rm(point, { recursive: true, force: true });
  await rm(image, { force: true });
}

/**
 * Whether the engine finds `folder`. It is asked for a container of an image that nobody has, so none is made: it looks for
 * what is to be mounted first, and refuses with 400 when that is not there.
 */
async function engineSees(docker: Docker, folder: string): Promise<boolean> {
  const Mounts: Docker.MountSettings[] = [{ Type: 'bind', Source: folder, Target: '/probe', ReadOnly: true }];
  try {
    const made = await docker.createContainer({
      Image: `cairn-no-such-image:${randomUUID()}`,
      HostConfig: { Mounts },
    });
    await made.remove();
    return false;
  } catch (error) {
    if (statusOf(error) === 404) return true;
    if (statusOf(error) === 400) return false;
    throw error;
  }
}
