import type { ArchiveEntry } from './archive-entries.ts';
import { FileError, invalidPath, shown } from './file-error.ts';

/** Bounds of an archive that is unpacked. Source: hosting §1e. */
export interface ArchiveLimits {
  entries: number;
  depth: number;
  /** Characters of all names: they are held in memory. */
  name_characters: number;
  /** Bytes it may always have, and beyond them so many for each of its own. */
  free_bytes: number;
  ratio: number;
}
export const archiveLimits: ArchiveLimits = {
  entries: 200_000,
  depth: 64,
  name_characters: 32 * 1024 * 1024,
  free_bytes: 256 * 1024 * 1024,
  ratio: 250,
};

/** Counts what an archive has and refuses `archive_too_large` at the first entry or byte that is too much. */
export class ArchiveCount {
  readonly #limits: ArchiveLimits;
  readonly #path: string;
  readonly #max_bytes: number;
  #entries = 0;
  #characters = 0;
  #bytes = 0;

  constructor(path: string, archive_bytes: number, limits: ArchiveLimits) {
    [this.#path, this.#limits] = [path, limits];
    this.#max_bytes = Math.max(limits.free_bytes, archive_bytes * limits.ratio);
  }

  /** A zip says in advance how many entries it has. */
  announced(entries: number): void {
    if (entries > this.#limits.entries) throw this.#tooLarge(this.#limits.entries);
  }

  /** The names of an entry below the folder it is unpacked into; none for that folder itself. */
  names({ path }: ArchiveEntry): string[] {
    this.#entries++;
    this.#characters += path.length;
    this.announced(this.#entries);
    if (this.#characters > this.#limits.name_characters) throw this.#tooLarge(this.#limits.entries);
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    if (names.includes('..')) throw invalidPath(path, 'dots');
    if (names.length > this.#limits.depth) throw invalidPath(path, 'path_long');
    return names;
  }

  bytes(more: number): void {
    this.#bytes += more;
    if (this.#bytes > this.#max_bytes) throw this.#tooLarge(this.#max_bytes);
  }

  #tooLarge(limit: number): FileError {
    return new FileError('archive_too_large', { path: shown(this.#path), limit });
  }
}
