import { existsSync } from 'node:fs';

/** The parts of prismarine-world and of a player that are used. */
export interface World {
  savingQueue: Map<string, { chunkX: number; chunkZ: number }>;
  unloadQueue: Map<string, { chunkX: number; chunkZ: number }>;
  columns: Record<string, unknown>;
  storageProvider: {
    regionFileName(x: number, z: number): string;
    load(x: number, z: number): Promise<unknown>;
    save(x: number, z: number, column: unknown): Promise<void>;
  } | null;
  saveNow(): Promise<void>;
  forceUnloadColumn(key: string, x: number, z: number): void;
}
export interface SavedPlayer {
  username: string;
  save?: () => Promise<void>;
}

/**
 * Decides when the world and its players are written: the library does it every second whatever happens, and forgets what
 * changes while it does. Between `off` and `on` no file of the world is written, except by `flush`.
 */
export class Saving {
  #isOn = true;
  #world: World | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Saves of players who left meanwhile. */
  readonly #left = new Map<string, () => Promise<void>>();

  /** Takes the place of what the library does to save `world`. */
  watch(world: World): void {
    this.#world = world;
    // it calls this every second
    world.saveNow = async () => {
      if (this.#isOn) await this.#write();
    };
    const storage = world.storageProvider;
    if (!storage) return;
    const load = storage.load.bind(storage);
    // to read from a region that is not there makes its file
    storage.load = async (x, z) => (existsSync(storage.regionFileName(x, z)) ? await load(x, z) : null);
  }

  /** A player who leaves is saved, later when saving is off. */
  join(player: SavedPlayer): void {
    const save = player.save?.bind(player);
    if (!save) return;
    player.save = async () => {
      if (this.#isOn) await this.#after(save);
      else this.#left.set(player.username, save);
    };
  }

  /** Resolves when nothing is being written any more. */
  async off(): Promise<void> {
    this.#isOn = false;
    await this.#writing;
  }

  on(): void {
    this.#isOn = true;
    void this.#write();
  }

  /** Writes everything that changed, the given players too. */
  async flush(players: readonly SavedPlayer[]): Promise<void> {
    // with saving off they are noted, and written with the rest
    for (const player of players) await player.save?.();
    await this.#write();
  }

  /** One write after the other. */
  #after(work: () => Promise<void>): Promise<void> {
    const mine = this.#writing.then(work);
    this.#writing = mine.catch(() => {});
    return mine;
  }

  #write(): Promise<void> {
    return this.#after(async () => {
      const left = [...this.#left.values()];
      this.#left.clear();
      for (const save of left) await save();
      const world = this.#world;
      if (!world?.storageProvider) return;
      const changed = [...world.savingQueue];
      // what changes from now on is for the next time
      world.savingQueue.clear();
      for (const [key, { chunkX, chunkZ }] of changed)
        if (world.columns[key]) await world.storageProvider.save(chunkX, chunkZ, world.columns[key]);
      for (const [key, { chunkX, chunkZ }] of [...world.unloadQueue])
        if (!world.savingQueue.has(key)) world.forceUnloadColumn(key, chunkX, chunkZ);
    });
  }
}
