import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../disk/folders.ts';
import type { JournalEntries, JournalStore } from '../state/journal.ts';
import { reserved } from './tar/sums.ts';
import { syncFolder } from './targets/node-target.ts';

/**
 * Exchanges all files of a server by renames on its own disk. Every phase is stored before it begins, so that the old files
 * are back after an end anywhere. The folder of Cairn itself stays where it is. Source: hosting §1d.
 */

const placesOf = (folder: string) => {
  const base = join(folder, reserved, 'restore');
  return { base, fresh: join(base, 'new'), old: join(base, 'old'), away: join(base, 'away') };
};

/** Names are bytes: those of a game need not be UTF-8. */
async function namesIn(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder, { encoding: 'buffer' });
  return names.filter((name) => name.toString('latin1') !== reserved);
}
async function moveAll(from: string, to: string): Promise<void> {
  const path = (folder: string, name: Buffer) => Buffer.concat([Buffer.from(`${folder}/`), name]);
  for (const name of await namesIn(from)) await rename(path(from, name), path(to, name));
  await syncFolder(from);
  await syncFolder(to);
}

/** Removes everything but the folder of Cairn itself. */
export async function clear(folder: string): Promise<void> {
  for (const name of await namesIn(folder))
    await rm(Buffer.concat([Buffer.from(`${folder}/`), name]), { recursive: true, force: true });
}

/** A folder at `path`, whatever a game server put there instead. */
async function makeOwn(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found && !found.isDirectory()) await rm(path, { force: true });
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Waits until everything on the disk of `folder` is written, however long that takes. */
export async function syncFiles(folder: string): Promise<void> {
  await promisify(execFile)('sync', ['-f', folder]);
}

export class Swap {
  readonly #places: ReturnType<typeof placesOf>;
  readonly #folder: string;
  readonly #journal: JournalStore;
  readonly #server_id: string;

  constructor(folder: string, journal: JournalStore, server_id: string) {
    [this.#folder, this.#journal, this.#server_id] = [folder, journal, server_id];
    this.#places = placesOf(folder);
  }

  #begin(phase: JournalEntries['restoring']['phase'], undo: string | null = null): void {
    this.#journal.save(this.#server_id, 'restoring', { phase, undo });
  }

  /** Gives the empty folder for the new files, on the same disk. */
  async prepare(): Promise<string> {
    this.#begin('unpacking');
    const { base, fresh, old, away } = this.#places;
    await makeOwn(join(this.#folder, reserved));
    await removeFolder(base);
    for (const path of [base, fresh, old, away]) await mkdir(path, { mode: 0o700 });
    return fresh;
  }

  /** The new files take the place of the old ones, which are removed. */
  async commit(): Promise<void> {
    const { fresh, old } = this.#places;
    await syncFiles(fresh);
    this.#begin('moving_out');
    await moveAll(this.#folder, old);
    this.#begin('moving_in');
    await moveAll(fresh, this.#folder);
    this.#begin('cleaning');
    await this.recover();
  }

  /** From here on the old files are in the archive `undo` only, and everything in the folder may be removed. */
  replaceAll(undo: string): void {
    this.#begin('replacing', undo);
  }

  /**
   * Brings the old files back, or finishes, whatever was under way; may be repeated. `unpackUndo` fills the empty folder from
   * an archive.
   */
  async recover(unpackUndo: (archive: string) => Promise<void> = async () => {}): Promise<void> {
    const found = this.#journal.find(this.#server_id, 'restoring');
    if (!found) return;
    const { base, old, away } = this.#places;
    await makeOwn(join(this.#folder, reserved));
    if (found.phase === 'moving_in') {
      // new files have the names: they go first, and only once
      this.#begin('moving_back');
    }
    if (found.phase === 'moving_in' || found.phase === 'moving_back') {
      await moveAll(this.#folder, away);
      this.#begin('moving_out');
    }
    if (found.phase === 'moving_in' || found.phase === 'moving_back' || found.phase === 'moving_out')
      await moveAll(old, this.#folder);
    if (found.phase === 'replacing' && found.undo !== null) {
      await clear(this.#folder);
      await unpackUndo(found.undo);
      this.#begin('cleaning', found.undo);
    } else if (found.phase !== 'cleaning') this.#begin('cleaning');
    await removeFolder(base);
    const undo = this.#journal.find(this.#server_id, 'restoring')?.undo;
    if (undo) await rm(undo, { force: true });
    this.#journal.remove(this.#server_id, 'restoring');
  }
}
