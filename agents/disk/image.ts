import { chmod, mkdir, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exec } from './exec.ts';

/**
 * A file system in a file: what does not fit into it is refused by the kernel itself. The file takes as much of the disk as
 * lies in it. Source: hosting §1c, disk quota that works here (b).
 */

const mib = 1024 * 1024;
/** Bytes a file of its own: mods and worlds bring many small ones. One in 32 bytes is for their tables. */
const bytesPerFile = 8192;
const tables = bytesPerFile / 256;
const journal_mb = 8;
/** What the kernel keeps back for itself, and what lies between what was counted here. */
const reserve = (mb: number): number => Math.min(16, mb / 50) + Math.min(96, mb / 200) + 2;

/** Bytes of an image in which `mb` megabytes of files find room beside what the file system itself needs. */
export const imageBytes = (mb: number): number =>
  Math.ceil((mb * tables) / (tables - 1) + journal_mb + reserve(mb)) * mib;

/** Makes an image for `mb` megabytes of files whose root belongs to `uid`. It is there whole or not at all. */
export async function makeImage(image: string, mb: number, uid: number): Promise<void> {
  const part = `${image}.part`;
  await mkdir(dirname(image), { recursive: true, mode: 0o700 });
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  await file.truncate(imageBytes(mb)).finally(() => file.close());
  const own = `root_owner=${uid}:${uid},lazy_itable_init=1,lazy_journal_init=1,nodiscard`;
  const kept = ['-m', '0', '-b', '4096', '-i', String(bytesPerFile), '-J', `size=${journal_mb}`];
  await exec('mkfs.ext4', '-q', '-F', ...kept, '-E', own, part);
  await rename(part, image);
}

/** What is freed inside is given back to the disk. No devices, no other user's rights; games may run what they unpack. */
const options = 'loop,nodev,nosuid,noatime,discard';

/** Mounts an image at `point`, which belongs to nobody but root: what is not mounted cannot be written to. */
export async function mountImage(image: string, point: string): Promise<void> {
  await mkdir(point, { recursive: true, mode: 0o700 });
  await chmod(point, 0o700);
  await exec('mount', '-t', 'ext4', '-o', options, image, point);
}

/** Makes a mounted image larger while it is used. The kernel allows that to whoever has CAP_SYS_RESOURCE. */
export async function growMounted(image: string, device: string, mb: number): Promise<void> {
  await lengthen(image, mb);
  await exec('losetup', '--set-capacity', device);
  await exec('resize2fs', device);
}

/** There while an image that is not mounted is made larger: cut off, it is not to be mounted before that was done again. */
export const growing = (image: string): string => `${image}.growing`;

/** Makes an image larger that nobody uses. */
export async function growUnmounted(image: string, mb: number): Promise<void> {
  await writeFile(growing(image), '');
  await lengthen(image, mb);
  await checkImage(image);
  await exec('resize2fs', image);
  await rm(growing(image));
}

/** Never shorter: what lies there may lie at its end. */
async function lengthen(image: string, mb: number): Promise<void> {
  const wanted = imageBytes(mb);
  if ((await stat(image)).size < wanted) await truncate(image, wanted);
}

/** Mends what can be mended without asking. It ends with 1 when there was something. */
async function checkImage(image: string): Promise<void> {
  await exec('sh', '-c', 'e2fsck -f -p "$0" || [ $? -eq 1 ]', image);
}
