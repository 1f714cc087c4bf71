import type { SearchDocument } from '../engine.ts';
import { loaderCount } from '../query/filter-keys.ts';
import { type Sections, section } from './sections.ts';

/** The numeric columns of every document. */
export const columnNames = [
  'downloads',
  'follows',
  'created_timestamp',
  'modified_timestamp',
  'newest_version',
  'loader_count',
] as const;
export type ColumnName = (typeof columnNames)[number];

export class ColumnsWriter {
  readonly #values = new Map<ColumnName, number[]>(columnNames.map((name) => [name, []]));

  add(doc: SearchDocument): void {
    for (const name of columnNames)
      this.#values.get(name)?.push(name === 'loader_count' ? loaderCount(doc) : doc[name]);
  }

  write(sections: Sections): void {
    for (const [name, values] of this.#values) sections.set(`columns.${name}`, Float64Array.from(values));
  }
}

/** One number per document and column; counters are updated in place. */
export class Columns {
  readonly downloads: Float64Array;
  readonly follows: Float64Array;
  readonly created_timestamp: Float64Array;
  readonly modified_timestamp: Float64Array;
  readonly newest_version: Float64Array;
  readonly loader_count: Float64Array;
  /** Score bonus for downloads: 0.9 * log10(downloads + 1). Source: search §3.3 (Stage 1). */
  readonly popularity: Float32Array;

  constructor(sections: Sections) {
    const column = (name: ColumnName) => section(sections, `columns.${name}`, Float64Array);
    this.downloads = column('downloads');
    this.follows = column('follows');
    this.created_timestamp = column('created_timestamp');
    this.modified_timestamp = column('modified_timestamp');
    this.newest_version = column('newest_version');
    this.loader_count = column('loader_count');
    this.popularity = Float32Array.from(this.downloads, popularityOf);
  }

  setCounters(document: number, { downloads, follows }: { downloads?: number; follows?: number }): void {
    if (downloads !== undefined) {
      this.downloads[document] = downloads;
      this.popularity[document] = popularityOf(downloads);
    }
    if (follows !== undefined) this.follows[document] = follows;
  }
}

const popularityOf = (downloads: number): number => 0.9 * Math.log10(downloads + 1);
