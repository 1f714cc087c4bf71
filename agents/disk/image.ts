import { chmod, mkdir, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exec } from '../programs/exec.ts';

/**
 * A file system in a file: the kernel refuses what does not fit. The file uses only as much of the disk as it
 * contains. Source: hosting §1c (disk quota that works here, b).
 */

const mib = 1024 * 1024;
const block_bytes = 4096;
/** Bytes per inode: mods and worlds bring many small files. One byte in 32 is for inode tables. */
const bytesPerFile = 8192;
const tables = bytesPerFile / 256;
const journal_mb = 8;
/** Only root may write into these: a full disk leaves the agent room to describe what is deleted. */
export const root_mb = 4;
/** Space the kernel reserves, and a margin for what is not counted here. */
const reserve = (mb: number): number => Math.min(16, mb / 50) + Math.min(96, mb / 200) + 2;

/** Bytes of an image that has space for `mb` megabytes of files beside its own metadata. */
const imageBytes = (mb: number): number =>
  Math.ceil((mb * tables) / (tables - 1) + journal_mb + root_mb + reserve(mb)) * mib;

/** Creates an image for `mb` megabytes of files whose root belongs to `uid`. It exists completely or not at all. */
export async function makeImage(image: string, mb: number, uid: number): Promise<void> {
  const part = `${image}.part`;
  await mkdir(dirname(image), { recursive: true, mode: 0o700 });
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  await file.truncate(imageBytes(mb)).finally(() => file.close());
  const own = `root_owner=${uid}:${uid},lazy_itable_init=1,lazy_journal_init=1,nodiscard`;
  const root_percent = ((root_mb * mib * 100) / imageBytes(mb)).toFixed(4);
  const kept = [
    '-m',
    root_percent,
    '-b',
    String(block_bytes),
    '-i',
    String(bytesPerFile),
    '-J',
    `size=${journal_mb}`,
  ];
  await exec('mkfs.ext4', '-q', '-F', ...kept, '-E', own, part);
  await rename(part, image);
}

/** Deleted files free space on the host. No devices, no setuid; games may run what they unpack. */
const options = 'loop,nodev,nosuid,noatime,discard';

/** Mounts an image at `point`, which belongs to root: without the mount nobody else can write there. */
export async function mountImage(image: string, point: string): Promise<void> {
  await mkdir(point, { recursive: true, mode: 0o700 });
  await chmod(point, 0o700);
  await exec('mount', '-t', 'ext4', '-o', options, image, point);
}

/** Grows a mounted image. The kernel requires CAP_SYS_RESOURCE. */
export async function growMounted(image: string, device: string, mb: number): Promise<void> {
  await lengthen(image, mb);
  await exec('losetup', '--set-capacity', device);
  await exec('resize2fs', device);
  await keepForRoot(device);
}

/**
 * Exists while an unmounted image is grown: after an interruption it must not be mounted before the growth is
 * repeated.
 */
export const growing = (image: string): string => `${image}.growing`;

/** Grows an image that is not mounted. */
export async function growUnmounted(image: string, mb: number): Promise<void> {
  await writeFile(growing(image), '');
  await lengthen(image, mb);
  await checkImage(image);
  await exec('resize2fs', image);
  await keepForRoot(image);
  await rm(growing(image));
}

/** Growing scales the share of root. */
const keepForRoot = (at: string) => exec('tune2fs', '-r', String((root_mb * mib) / block_bytes), at);

/** Never shortens it: its end may be in use. */
async function lengthen(image: string, mb: number): Promise<void> {
  const wanted = imageBytes(mb);
  if ((await stat(image)).size < wanted) await truncate(image, wanted);
}

/** Repairs what can be repaired without questions. Exit code 1 means that something was repaired. */
async function checkImage(image: string): Promise<void> {
  await exec('sh', '-c', 'e2fsck -f -p "$0" || [ $? -eq 1 ]', image);
}
