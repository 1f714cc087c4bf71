import { existsSync } from 'node:fs';
import { chmod, chown, readdir, rm, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { DockerConnection } from '../docker/client.ts';
import { StepError } from '../docker/step-error.ts';
import { CommandFailed, exec } from '../programs/exec.ts';
import { folderOf, makeFolder, removeFolder, uidFor } from './folders.ts';
import { growing, growMounted, growUnmounted, makeImage, mountImage, root_mb } from './image.ts';
import { imageAt, imageMounts, isMounted, isReleased, realPath, unmount } from './mounts.ts';
import { whyNoImages } from './probe.ts';

/**
 * How disk limits are enforced: `image` by the kernel, with a file system for each server; `measured` by checking
 * from time to time.
 */
export type DiskMode = 'image' | 'measured';

/** Status of a server's disk. */
export interface DiskStatus {
  /** An image that is not mounted, or smaller than the limit. */
  needs_preparation: boolean;
  /** It enforces the limit itself: an image that is not larger than the limit. A folder does not. */
  enforces_limit: boolean;
}

/** An image counts as larger than its limit beyond this factor. */
const slack = 1.1;
const mib = 1024 * 1024;

/** The disks of all servers of a node: an image when there is an image file, otherwise a folder. */
export class Disks {
  readonly #data: string;
  readonly #option: 'auto' | 'measured';
  readonly #docker: () => DockerConnection;
  readonly #log: Logger;
  readonly #queue = new Map<string, Promise<unknown>>();
  /** How many are using the files of a server now. */
  readonly #in_use = new Map<string, number>();
  #mode: DiskMode | null = null;
  #why_measured: string | null = null;
  #choosing: Promise<DiskMode> | null = null;

  constructor(options: {
    data: string;
    option: 'auto' | 'measured';
    docker: () => DockerConnection;
    log: Logger;
  }) {
    [this.#data, this.#option, this.#docker, this.#log] = [
      options.data,
      options.option,
      options.docker,
      options.log,
    ];
  }

  /**
   * How limits of new servers are enforced. Probed once; throws when Docker, which takes part in the probe, does not
   * answer.
   */
  async mode(): Promise<DiskMode> {
    if (this.#mode) return this.#mode;
    this.#choosing ??= this.#choose().finally(() => {
      this.#choosing = null;
    });
    return await this.#choosing;
  }

  /** Reason why limits of new servers are only measured; null when they are not, and before that was probed. */
  whyMeasured = (): string | null => this.#why_measured;

  async #choose(): Promise<DiskMode> {
    await this.#unmountRemoved();
    const why =
      this.#option === 'measured'
        ? 'the operator chose it'
        : await whyNoImages(join(this.#data, 'disks'), this.#docker().api);
    if (why)
      this.#log[this.#option === 'measured' ? 'info' : 'warn'](
        { why },
        'Disk limits of new servers are only measured',
      );
    this.#why_measured = why;
    this.#mode = why ? 'measured' : 'image';
    return this.#mode;
  }

  /** Unmounts images of this folder that were removed while they were mounted: they still take their space. */
  async #unmountRemoved(): Promise<void> {
    const servers = await realPath(join(this.#data, 'servers', 'any')).then(dirname, () => null);
    if (servers === null) return;
    for (const { point, image } of await imageMounts())
      if (image === null && dirname(point) === servers) await unmount(point);
  }

  /** Unmounts the images of servers that do not run, so that their files can be removed; one in use stays. */
  async unmountIdle(server_ids: readonly string[]): Promise<void> {
    const mounted = new Set((await imageMounts()).map(({ point }) => point));
    const folders = server_ids.filter((id) => !this.#in_use.has(id)).map(this.#folder);
    for (const folder of folders)
      if (mounted.has(await realPath(folder).catch(() => ''))) await exec('umount', folder).catch(() => {});
  }

  /** How many servers have a folder whose limit is only measured. */
  async countMeasured(): Promise<number> {
    const names = (folder: string) => readdir(join(this.#data, folder)).catch(() => [] as string[]);
    const [images, folders] = await Promise.all([
      names('disks').then((all) => new Set(all)),
      names('servers'),
    ]);
    return folders.filter((id) => !images.has(`${id}.img`)).length;
  }

  image = (server_id: string): string => join(this.#data, 'disks', `${server_id}.img`);
  #folder = (server_id: string): string => folderOf(this.#data, server_id);

  /**
   * Provides the files of a server: creates them when they do not exist, mounts them when they are not mounted, and
   * grows them to the limit. A folder stays a folder. An `idle` server may be unmounted for a moment to grow its
   * image. Refuses `disk_failed` with the message of the system, `disk_full` when the disk of this machine is full.
   */
  async prepare(server_id: string, own: number, disk_mb: number, idle = false): Promise<void> {
    await this.#exclusive(server_id, async () => {
      const [image, folder, uid] = [this.image(server_id), this.#folder(server_id), uidFor(own)];
      const plain = !existsSync(image);
      if (plain && (existsSync(folder) || (await this.mode()) === 'measured')) return makeFolder(folder, uid);
      // the folder is created after the image: a folder without an image belongs to a server without an image
      if (plain) await makeImage(image, disk_mb, uid);
      const device = await this.#mounted(image, folder, disk_mb);
      const leaves = idle && !this.#in_use.has(server_id);
      if ((await spaceOf(folder)).all_mb < disk_mb)
        await this.#grow(image, folder, { device, disk_mb, idle: leaves });
      await chown(folder, uid, uid);
      await chmod(folder, 0o700);
      // empty unless a repair put something there, and not the renter's
      await rmdir(join(folder, 'lost+found')).catch(() => {});
    });
  }

  /** Runs `work` on the files of a server, which stay mounted meanwhile. Creates nothing. */
  async withFolder<T>(server_id: string, disk_mb: number, work: (folder: string) => Promise<T>): Promise<T> {
    const [image, folder] = [this.image(server_id), this.#folder(server_id)];
    await this.#exclusive(server_id, async () => {
      if (existsSync(image)) await this.#mounted(image, folder, disk_mb);
      this.#in_use.set(server_id, (this.#in_use.get(server_id) ?? 0) + 1);
    });
    try {
      return await work(folder);
    } finally {
      const others = (this.#in_use.get(server_id) ?? 1) - 1;
      if (others > 0) this.#in_use.set(server_id, others);
      else this.#in_use.delete(server_id);
    }
  }

  async #mounted(image: string, folder: string, disk_mb: number): Promise<string> {
    const there = await imageAt(folder).catch(() => null);
    if (!there && (await isMounted(folder)))
      throw new StepError('disk_failed', `something else is mounted at ${folder}`);
    if (!there && existsSync(growing(image))) await growUnmounted(image, disk_mb);
    if (!there) await mountImage(image, folder);
    const mount = there ?? (await imageAt(folder));
    if (!mount || mount.image !== (await realPath(image)))
      throw new StepError('disk_failed', `${folder} is not ${image}`);
    return mount.device;
  }

  /**
   * Grows the image while it is mounted when the kernel allows it, otherwise unmounted. A server with a smaller disk
   * runs all the same.
   */
  async #grow(image: string, folder: string, to: { device: string; disk_mb: number; idle: boolean }) {
    const { device, disk_mb, idle } = to;
    try {
      await growMounted(image, device, disk_mb);
    } catch (error) {
      this.#log.warn(
        { image, disk_mb, idle, err: error },
        'A disk cannot be made larger while it is mounted',
      );
      if (!idle) return;
      const unmounted = (await unmount(folder)) === 'unmounted';
      // a process that copied the mounts of this machine may still write to it
      if (unmounted && (await isReleased(device))) await growUnmounted(image, disk_mb);
      await mountImage(image, folder);
    }
  }

  /** Status of a server's disk for a limit of `disk_mb`. */
  async status(server_id: string, disk_mb: number): Promise<DiskStatus> {
    if (!existsSync(this.image(server_id))) return { needs_preparation: false, enforces_limit: false };
    const folder = this.#folder(server_id);
    if (!(await isMounted(folder))) return { needs_preparation: true, enforces_limit: true };
    const { all_mb } = await spaceOf(folder);
    return { needs_preparation: all_mb < disk_mb, enforces_limit: all_mb <= disk_mb * slack + 4 };
  }

  /**
   * Megabytes of files in a server's image, its whole size when nothing more can be written; null when it has no
   * image.
   */
  async imageMb(server_id: string): Promise<number | null> {
    if (!existsSync(this.image(server_id))) return null;
    const folder = this.#folder(server_id);
    if (!(await isMounted(folder))) return 0;
    const { all_mb, used_mb, full } = await spaceOf(folder);
    return full ? all_mb : used_mb;
  }

  /** Removes all files of a deleted server. May be interrupted anywhere and repeated. */
  async remove(server_id: string): Promise<void> {
    await this.#exclusive(server_id, async () => {
      const folder = this.#folder(server_id);
      if ((await unmount(folder)) === 'lazily')
        this.#log.warn({ server_id }, 'A disk is still in use and was unmounted lazily');
      await removeFolder(folder);
      await rm(`${this.image(server_id)}.part`, { force: true });
      await rm(this.image(server_id), { force: true });
      await rm(growing(this.image(server_id)), { force: true });
    });
  }

  /** Runs one task at a time for each server: an archive may need its disk while it starts. */
  async #exclusive(server_id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#queue.get(server_id) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(work);
    this.#queue.set(server_id, mine);
    try {
      await mine;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const full = /no space left/i.test(error.message);
      throw new StepError(full ? 'disk_full' : 'disk_failed', error.message);
    } finally {
      if (this.#queue.get(server_id) === mine) this.#queue.delete(server_id);
    }
  }
}

async function spaceOf(folder: string): Promise<{ all_mb: number; used_mb: number; full: boolean }> {
  const { blocks, bfree, bavail, bsize, files, ffree } = await statfs(folder);
  const full = bavail * bsize < mib || (files > 0 && ffree === 0);
  return { all_mb: (blocks * bsize) / mib - root_mb, used_mb: ((blocks - bfree) * bsize) / mib, full };
}
