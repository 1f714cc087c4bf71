import { uidFor } from '../disk/folders.ts';
import type { Access } from './access.ts';
import { expireChanges } from './content-changes.ts';
import { about, FileError } from './file-error.ts';
import type { FilesContext } from './files-context.ts';
import { type Disk, Quota } from './quota.ts';
import { Slots } from './slots.ts';
import { expireTrash } from './trash.ts';
import { Tree } from './tree.ts';
import { Uploads } from './uploads.ts';

/** Requests on the files of one server that run at once, and those that may wait for their turn. */
const short_slots = [8, 256] as const;
/** Those that move many bytes do not hold up the others. */
const long_slots = [16, 256] as const;
/** Those that compute over everything a server wrote, on the thread of all servers of the node. */
const search_slots = [2, 64] as const;

/** What the files of a server need of its controller. */
export interface FilesOwner {
  id: string;
  stored: { uid: number; spec: { disk_mb: number } | null } | null;
  context: Omit<FilesContext, 'data'>;
}

interface Use {
  takes?: 'short' | 'long' | 'search';
  changes?: boolean;
  /** The operation that it is: `cancel` ends it. */
  op_id?: string;
}

/** What a process keeps about the files of one server. */
class ServerFiles {
  readonly #owner: FilesOwner;
  readonly #quota: Quota;
  readonly #uploads = new Uploads();
  readonly #slots = {
    short: new Slots(...short_slots),
    long: new Slots(...long_slots),
    search: new Slots(...search_slots),
  };
  readonly #changing = new Set<Promise<void>>();
  readonly #operations = new Map<string, AbortController>();
  #held_by: string | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #prepared: Promise<void> | null = null;

  constructor(owner: FilesOwner) {
    this.#owner = owner;
    this.#quota = new Quota(owner.context);
  }

  /**
   * Runs `work` on the files. Refuses `busy` when too much waits, `file_not_found` while there are none, and `server_busy`
   * what `changes` files while something else holds them.
   */
  async use<T>(
    work: (access: Access) => Promise<T>,
    { takes = 'short', changes = false, op_id }: Use = {},
  ): Promise<T> {
    const abort = new AbortController();
    if (op_id) this.#operations.set(op_id, abort);
    try {
      return await this.#slots[takes].run(() => this.#run(work, changes, abort.signal), abort.signal);
    } finally {
      if (op_id) this.#operations.delete(op_id);
    }
  }

  async #run<T>(work: (access: Access) => Promise<T>, changes: boolean, signal: AbortSignal): Promise<T> {
    if (changes && this.#held_by) throw new FileError('server_busy', { by: this.#held_by });
    const running = this.#open(work, signal);
    if (!changes) return await running;
    const ended = running.then(
      () => {},
      () => {},
    );
    this.#changing.add(ended);
    try {
      return await running;
    } finally {
      this.#changing.delete(ended);
    }
  }

  /** Cancels an operation that waits or runs; gives whether there is one. It may still end well when it is almost done. */
  cancel(op_id: string): boolean {
    const abort = this.#operations.get(op_id);
    abort?.abort(new FileError('operation_canceled'));
    return abort !== undefined;
  }

  /**
   * Runs `work` while nothing else changes the files: what changes them now ends first, what comes is refused with
   * `server_busy`. For what replaces the folder as a whole. Refuses `server_busy`.
   */
  async hold<T>(by: string, work: () => Promise<T>): Promise<T> {
    if (this.#held_by) throw new FileError('server_busy', { by: this.#held_by });
    this.#held_by = by;
    try {
      await Promise.all(this.#changing);
      return await work();
    } finally {
      this.#held_by = null;
      // it may be another folder, with other uploads
      this.#uploads.forget();
      this.#prepared = null;
    }
  }

  async #open<T>(work: (access: Access) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { id, stored, context } = this.#owner;
    if (!stored?.spec) throw new FileError('file_not_found', { path: '/' });
    const { uid, spec } = stored;
    return await context.disks.withFolder(id, spec.disk_mb, (folder) =>
      about('/', () =>
        Tree.use(folder, uidFor(uid), async (tree) => {
          const disk = { server_id: id, folder, disk_mb: spec.disk_mb };
          const access = { ...this.#access(tree, disk), signal };
          await this.#prepare(access);
          return await work(access);
        }),
      ),
    );
  }

  #access(tree: Tree, disk: Disk): Omit<Access, 'signal'> {
    return {
      tree,
      uploads: this.#uploads,
      context: this.#owner.context,
      exclusively: (work) => this.#exclusively(work),
      reserve: (bytes, unchecked) => this.#quota.reserve(disk, bytes, unchecked),
      free: () => this.#quota.free(disk),
    };
  }

  /** Before the first request of this process: what an earlier one left behind. */
  async #prepare({ tree, reserve }: Pick<Access, 'tree' | 'reserve'>): Promise<void> {
    this.#prepared ??= (async () => {
      await tree.clearTemporary();
      await this.#uploads.load(tree, reserve);
    })().catch((error) => {
      this.#prepared = null;
      throw error;
    });
    await this.#prepared;
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => {});
    return await mine;
  }

  /** Removes what is too old in trash, uploads and changes. */
  async expire(): Promise<void> {
    await this.use(
      async ({ tree, uploads }) => {
        const now = this.#owner.context.now();
        await expireTrash(tree, now);
        await uploads.expire(tree, now);
        await this.#exclusively(() => expireChanges(tree, now));
      },
      { changes: true },
    );
  }
}

const all = new WeakMap<FilesOwner, ServerFiles>();

/** The files of a server; one for each controller. */
export function filesOf(owner: FilesOwner): ServerFiles {
  const files = all.get(owner) ?? new ServerFiles(owner);
  all.set(owner, files);
  return files;
}
