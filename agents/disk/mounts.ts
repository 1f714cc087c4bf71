import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { exec } from '../programs/exec.ts';

/** Mounts as this process sees them. */

/** An image that is mounted by a loop device. */
export interface ImageMount {
  point: string;
  device: string;
  /** Path of the image; null when it was removed meanwhile. */
  image: string | null;
}

/** All mounted images, in the order of their mounts. */
export async function imageMounts(): Promise<ImageMount[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const loops = lines.flatMap((line) => {
    const [place = '', made = ''] = line.split(' - ');
    const [point, device] = [place.split(' ')[4], made.split(' ')[1]];
    return point && device?.startsWith('/dev/loop') ? [{ point: plain(point), device: plain(device) }] : [];
  });
  return await Promise.all(loops.map(async (one) => ({ ...one, image: await imageBehind(one.device) })));
}

/** mountinfo writes blanks and backslashes as octal numbers. */
const plain = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));

const backing = (device: string): string => join('/sys/block', basename(device), 'loop/backing_file');

async function imageBehind(device: string): Promise<string | null> {
  const path = (await readFile(backing(device), 'utf8').catch(() => '')).replace(/\n$/, '');
  return path === '' || path.endsWith(' (deleted)') ? null : path;
}

/** The image that is visible at `point`, or null. */
export async function imageAt(point: string): Promise<ImageMount | null> {
  const path = await realPath(point);
  return (await imageMounts()).findLast((one) => one.point === path) ?? null;
}

/** `path` as mountinfo names it: links in its folder are resolved, itself is not. */
export const realPath = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)), basename(path));

/** Whether something is mounted at `folder`. Cheaper than the list of mounts. */
export async function isMounted(folder: string): Promise<boolean> {
  const [own, above] = await Promise.all([stat(folder), stat(dirname(folder))]).catch(() => []);
  return own !== undefined && above !== undefined && own.dev !== above.dev;
}

const max_tries = 5;
const pause_ms = 200;

/** Unmounts every image below `folder`. */
export async function unmountBelow(folder: string): Promise<void> {
  const path = await realPath(folder).catch(() => null);
  if (path === null) return;
  const below = (await imageMounts()).filter(({ point }) => point.startsWith(`${path}/`));
  for (const { point } of below.reverse()) await unmount(point);
}

/**
 * Unmounts `point`. While a process has a file of it open it is unmounted `lazily`, which ends with that file. The
 * loop device is released with its last mount.
 */
export async function unmount(point: string): Promise<'unmounted' | 'lazily'> {
  for (let once = 0; once < max_tries; once++) {
    if (once > 0) await setTimeout(pause_ms);
    if (!(await isMounted(point))) return 'unmounted';
    const refused = await exec('umount', point).then(
      () => false,
      () => true,
    );
    if (!refused && !(await isMounted(point))) return 'unmounted';
  }
  await exec('umount', '--lazy', point);
  return 'lazily';
}

/**
 * Unmounts everything below `folder`, also folders that are mounted on themselves: what a killed process left. Lazily, since
 * a process of another namespace may still have them.
 */
export function unmountEverythingBelow(folder: string): void {
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of points.reverse()) spawnSync('umount', ['--lazy', point]);
}

/** Whether `device` has no image any more, after waiting a moment for that. */
export async function isReleased(device: string): Promise<boolean> {
  for (let once = 0; once < max_tries; once++) {
    if (once > 0) await setTimeout(pause_ms);
    if (!existsSync(backing(device))) return true;
  }
  return false;
}
