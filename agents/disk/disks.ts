import { existsSync } from 'node:fs';
import { chmod, chown, rm, rmdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DockerConnection } from '../docker/client.ts';
import { StepError } from '../server/step-error.ts';
import { CommandFailed } from './exec.ts';
import { folderOf, makeFolder, removeFolder, uidFor } from './folders.ts';
import { growing, growMounted, growUnmounted, makeImage, mountImage } from './image.ts';
import { imageAt, isMounted, isReleased, realPath, unmount } from './mounts.ts';
import { whyNoImages } from './probe.ts';

/**
 * How disk limits are kept here: `image` by the kernel, each server in a file system of its own; `measured` by looking from
 * time to time.
 */
export type DiskMode = 'image' | 'measured';

/** What a server's files lie in now. */
export interface DiskStatus {
  /** An image that is not mounted, or smaller than the limit. */
  needs_preparation: boolean;
  /** It keeps the limit itself: an image that is not larger than that. A folder does not. */
  enforces_limit: boolean;
}

/** An image counts as larger than a limit beyond this share of it. */
const slack = 1.1;
const mib = 1024 * 1024;

/** The disks of a node's servers. What one lies in is seen on the disk: with an image it is that, else a folder. */
export class Disks {
  readonly #data: string;
  readonly #option: 'auto' | 'measured';
  readonly #docker: () => DockerConnection;
  readonly #log: Logger;
  readonly #queue = new Map<string, Promise<unknown>>();
  /** Servers whose files somebody reads right now. */
  readonly #in_use = new Set<string>();
  #mode: DiskMode | null = null;
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

  /** How limits of new servers are kept. Tried out once; throws when the engine does not answer, which must be asked. */
  async mode(): Promise<DiskMode> {
    if (this.#mode) return this.#mode;
    this.#choosing ??= this.#choose().finally(() => {
      this.#choosing = null;
    });
    return await this.#choosing;
  }

  async #choose(): Promise<DiskMode> {
    const why =
      this.#option === 'measured'
        ? 'it was asked for'
        : await whyNoImages(join(this.#data, 'disks'), this.#docker().api);
    if (why) this.#log.info({ why }, 'Disk limits of new servers are measured');
    this.#mode = why ? 'measured' : 'image';
    return this.#mode;
  }

  image = (server_id: string): string => join(this.#data, 'disks', `${server_id}.img`);
  #folder = (server_id: string): string => folderOf(this.#data, server_id);

  /**
   * Makes the server's files be there: made when they are nowhere, mounted when they are not, as large as they may be.
   * A folder stays a folder. One whose server is down (`idle`) may be unmounted for a moment to make it larger. Refuses
   * `disk_failed` in the words of the system, `disk_full` when this machine's is.
   */
  async prepare(server_id: string, own: number, disk_mb: number, idle = false): Promise<void> {
    await this.#exclusive(server_id, async () => {
      const [image, folder, uid] = [this.image(server_id), this.#folder(server_id), uidFor(own)];
      const plain = !existsSync(image);
      if (plain && (existsSync(folder) || (await this.mode()) === 'measured')) return makeFolder(folder, uid);
      // the folder comes after it: one without an image is a server's that has none
      if (plain) await makeImage(image, disk_mb, uid);
      const device = await this.#mounted(image, folder, disk_mb);
      const leaves = idle && !this.#in_use.has(server_id);
      if ((await spaceOf(folder)).all_mb < disk_mb)
        await this.#grow(image, folder, { device, disk_mb, idle: leaves });
      await chown(folder, uid, uid);
      await chmod(folder, 0o700);
      // empty as long as nothing had to be mended, and no renter's
      await rmdir(join(folder, 'lost+found')).catch(() => {});
    });
  }

  /** Does `work` over the files of a server, which are mounted all the while. Makes nothing that is not there. */
  async withFolder<T>(server_id: string, disk_mb: number, work: (folder: string) => Promise<T>): Promise<T> {
    const [image, folder] = [this.image(server_id), this.#folder(server_id)];
    await this.#exclusive(server_id, async () => {
      if (existsSync(image)) await this.#mounted(image, folder, disk_mb);
      this.#in_use.add(server_id);
    });
    try {
      return await work(folder);
    } finally {
      this.#in_use.delete(server_id);
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

  /** While it is used when the kernel lets us, else when it is not. A server whose disk stays smaller runs all the same. */
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
      // something that copied all mounts of this machine may still write to it
      if (unmounted && (await isReleased(device))) await growUnmounted(image, disk_mb);
      await mountImage(image, folder);
    }
  }

  /** What its files lie in, for a limit of `disk_mb`. */
  async status(server_id: string, disk_mb: number): Promise<DiskStatus> {
    if (!existsSync(this.image(server_id))) return { needs_preparation: false, enforces_limit: false };
    const folder = this.#folder(server_id);
    if (!(await isMounted(folder))) return { needs_preparation: true, enforces_limit: true };
    const { all_mb } = await spaceOf(folder);
    return { needs_preparation: all_mb < disk_mb, enforces_limit: all_mb <= disk_mb * slack + 4 };
  }

  /** Megabytes of files in a server's image, all of it when nothing more can be written; null when it has none. */
  async imageMb(server_id: string): Promise<number | null> {
    if (!existsSync(this.image(server_id))) return null;
    const folder = this.#folder(server_id);
    if (!(await isMounted(folder))) return 0;
    const { all_mb, used_mb, full } = await spaceOf(folder);
    return full ? all_mb : used_mb;
  }

  /** Removes everything of a server that must not exist. May be cut off anywhere and done again. */
  async remove(server_id: string): Promise<void> {
    await this.#exclusive(server_id, async () => {
      const folder = this.#folder(server_id);
      if ((await unmount(folder)) === 'lazily')
        this.#log.warn({ server_id }, 'A disk is still used by something, and ends with it');
      await removeFolder(folder);
      await rm(`${this.image(server_id)}.part`, { force: true });
      await rm(this.image(server_id), { force: true });
      await rm(growing(this.image(server_id)), { force: true });
    });
  }

  /** One thing at a time for each server: packing may need its disk while it starts. */
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
  return { all_mb: (blocks * bsize) / mib, used_mb: ((blocks - bfree) * bsize) / mib, full };
}
