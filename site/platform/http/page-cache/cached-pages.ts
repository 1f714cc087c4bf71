import { LRUCache } from 'lru-cache';
import { openDiskTier } from './disk-tier.ts';
import { type Entry, sizeOf } from './entry.ts';
import { PageIndex } from './page-index.ts';

interface Options {
  memory_bytes: number;
  folder: string;
  disk_bytes: number;
  now_ms(): number;
}

/** Pages in memory, then on disk; the least recently used are evicted. Found by id and by tag. */
export class CachedPages {
  readonly #index = new PageIndex();
  readonly #pages: LRUCache<string, Entry>;
  readonly #disk: ReturnType<typeof openDiskTier>;
  readonly #now_ms: () => number;

  constructor({ memory_bytes, folder, disk_bytes, now_ms }: Options) {
    this.#now_ms = now_ms;
    this.#disk = openDiskTier(folder, disk_bytes, (id) => this.#index.remove(id));
    this.#pages = new LRUCache({
      maxSize: memory_bytes,
      maxEntrySize: Math.ceil(memory_bytes / 4),
      sizeCalculation: sizeOf,
      dispose: (entry, id, reason) => {
        if (reason === 'evict' && entry.until > now_ms()) this.#disk.put(id, entry);
        else if (reason === 'evict') this.#index.remove(id);
      },
    });
  }

  has(id: string): boolean {
    return this.#pages.has(id) || this.#disk.has(id);
  }

  /** The page, unless it expired. An expired one stays until it is replaced, for `findLast`. */
  async find(id: string): Promise<Entry | null> {
    const entry = await this.findLast(id);
    return entry && entry.until > this.#now_ms() ? entry : null;
  }

  /** The page, expired or not. */
  async findLast(id: string): Promise<Entry | null> {
    const entry = this.#pages.get(id) ?? null;
    if (entry || !this.#disk.has(id)) return entry;
    const loaded = await this.#disk.load(id);
    if (loaded) this.save(id, loaded);
    return loaded;
  }

  save(id: string, entry: Entry): void {
    this.#drop(id);
    this.#index.add(id, entry.tags);
    this.#pages.set(id, entry);
    if (!this.has(id)) this.#index.remove(id); // too large for memory
  }

  /** Every tag that some page has. */
  tags(): string[] {
    return this.#index.tags();
  }

  /** Drops the pages with `tag`; gives their ids. Those in memory that have the tag `expiring` too only expire. */
  dropTag(tag: string, expiring: string | null = null): string[] {
    const ids = this.#index.pagesOf(tag);
    for (const id of ids) {
      const entry = this.#pages.peek(id);
      if (entry && expiring !== null && entry.tags.includes(expiring)) entry.until = 0;
      else this.#drop(id);
    }
    return ids;
  }

  /** Lets no page with `tag` be served after `until_ms`. Pages on disk are dropped. */
  limitAge(tag: string, until_ms: number): void {
    for (const id of this.#index.pagesOf(tag)) {
      const entry = this.#pages.peek(id);
      if (entry) entry.until = Math.min(entry.until, until_ms);
      else this.#disk.drop(id);
    }
  }

  clear(): void {
    this.#pages.clear();
    this.#disk.clear();
    this.#index.clear();
  }

  stats(): { pages: number; bytes: number; disk_bytes: number } {
    return { pages: this.#pages.size, bytes: this.#pages.calculatedSize, disk_bytes: this.#disk.bytes() };
  }

  close(): void {
    this.#pages.clear();
    this.#disk.close();
  }

  #drop(id: string): void {
    this.#index.remove(id);
    this.#pages.delete(id);
    this.#disk.drop(id);
  }
}
