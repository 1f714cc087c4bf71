import type { DocumentVersion } from '../engine.ts';
import { type Bits, bitsFor, firstIn, has, set, setRange } from './bits.ts';
import type { Members } from './facet-values.ts';
import { type Sections, section } from './sections.ts';
import { Strings, writeStrings } from './string-table.ts';

/** Collects the rows of documents. */
export class RowsWriter {
  readonly #starts: number[] = [0];
  readonly #documents: number[] = [];
  readonly #versions: string[] = [];

  get size(): number {
    return this.#documents.length;
  }

  /** Adds the rows of the next document, newest first. */
  add(rows: readonly DocumentVersion[]): void {
    for (const row of rows) {
      this.#documents.push(this.#starts.length - 1);
      this.#versions.push(row.version_id ?? '');
    }
    this.#starts.push(this.#documents.length);
  }

  write(sections: Sections): void {
    sections.set('rows.start', Uint32Array.from(this.#starts));
    sections.set('rows.document', Uint32Array.from(this.#documents));
    writeStrings(sections, 'rows.version', this.#versions);
  }
}

/** Maps rows to documents. Rows of a document are contiguous, newest first. */
export class Rows {
  readonly #start: Uint32Array;
  readonly #document: Uint32Array;
  readonly #version: Strings;

  constructor(sections: Sections) {
    this.#start = section(sections, 'rows.start', Uint32Array);
    this.#document = section(sections, 'rows.document', Uint32Array);
    this.#version = new Strings(sections, 'rows.version');
  }

  get size(): number {
    return this.#document.length;
  }

  get documents(): number {
    return this.#start.length - 1;
  }

  /** The first row of a document; that of the next one is the end of its rows. */
  startOf(document: number): number {
    return this.#start[document] as number;
  }

  /** Whether all rows of a document are in the set. */
  hasAll(rows: Bits, document: number): boolean {
    const end = this.#start[document + 1] as number;
    let row = this.#start[document] as number;
    while (row < end && has(rows, row)) row++;
    return row === end;
  }

  /** All rows of the documents of a set. */
  ofDocuments(documents: Bits): Bits {
    const rows = bitsFor(this.size);
    for (let at = 0; at < this.documents; at++)
      if (has(documents, at)) setRange(rows, this.#start[at] as number, this.#start[at + 1] as number);
    return rows;
  }

  /** Whether a document has a row in the set. */
  has(rows: Bits, document: number): boolean {
    return firstIn(rows, this.#start[document] as number, this.#start[document + 1] as number) >= 0;
  }

  /** The documents that have a row in the set. */
  documentsOf(rows: Bits): Bits {
    const documents = bitsFor(this.documents);
    for (let row = firstIn(rows, 0, this.size); row >= 0; ) {
      const document = this.#document[row] as number;
      set(documents, document);
      row = firstIn(rows, this.#start[document + 1] as number, this.size);
    }
    return documents;
  }

  /** The documents with a row among the members. */
  documentsWith(members: Members): Bits {
    if (members.bits) return this.documentsOf(members.bits);
    const documents = bitsFor(this.documents);
    for (const row of members.list ?? []) set(documents, this.#document[row] as number);
    return documents;
  }

  /** The version of the newest row of `document` in the set (null: of all), null for the empty row. */
  newestVersion(document: number, rows: Bits | null): string | null {
    const [from, to] = [this.#start[document] as number, this.#start[document + 1] as number];
    const row = rows ? firstIn(rows, from, to) : from;
    return (row < 0 ? null : this.#version.at(row)) || null;
  }
}
