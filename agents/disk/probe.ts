import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { isUnavailable, statusOf } from '../docker/client.ts';
import { makeImage, mountImage } from './image.ts';
import { imageAt, unmount } from './mounts.ts';

/** Large enough for the metadata of a file system. */
const probe_mb = 8;

/**
 * Reason why images cannot be mounted below `disks` for servers; null when they can. Creates and mounts one and asks
 * Docker whether it sees its content: Docker may have other mounts than this process. Throws when Docker does not
 * answer.
 */
export async function whyNoImages(disks: string, docker: Docker): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may mount';
  const [image, point] = [join(disks, 'probe.img'), join(disks, 'probe')];
  await removeProbe(image, point);
  try {
    await makeImage(image, probe_mb, 0);
    await mountImage(image, point);
    if (!(await imageAt(point))) return 'a mounted image is not visible';
    const inside = join(point, randomUUID());
    if (await engineSees(docker, inside)) return 'Docker does not tell whether it sees a folder';
    await mkdir(inside);
    return (await engineSees(docker, inside)) ? null : 'Docker does not see mounts of this process';
  } catch (error) {
    if (isUnavailable(error) && statusOf(error) === null) throw error;
    return (error as Error).message;
  } finally {
    await removeProbe(image, point);
  }
}

/** Also removes the probe of a process that was killed meanwhile. */
async function removeProbe(image: string, point: string): Promise<void> {
  await unmount(point);
  await rm(point, { recursive: true, force: true });
  await rm(image, { force: true });
}

/**
 * Whether Docker finds `folder`. It is asked for a container of an image that does not exist, so none is created: it
 * checks the mounts first and refuses with 400 when one is missing.
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
