import type { StoredDocument } from '../documents/hits.ts';
import type { SearchDocument } from '../engine.ts';
import { categoryValues, documentValues, newestFirst, projectValues, rowsOf } from '../query/filter-keys.ts';
import { type Bits, clear, count, full, has } from './bits.ts';
import { Values, ValuesWriter } from './facet-values.ts';
import { Columns, ColumnsWriter } from './numeric-columns.ts';
import { Postings } from './postings.ts';
import { RowValues, writeRowValues } from './row-values.ts';
import { Rows, RowsWriter } from './rows.ts';
import { type Sections, section } from './sections.ts';
import { Orders, writeOrders } from './sort-orders.ts';
import type { StoredFields, StoredFieldsWriter } from './stored-fields.ts';
import { TermsWriter, type TextProperty } from './terms.ts';
import { Titles, writeTitles } from './titles.ts';
import { Typos, writeTypos } from './typos.ts';

/** Collects documents one by one and writes them as flat sections. */
export class SegmentWriter {
  readonly #ids: string[] = [];
  readonly #titles: string[] = [];
  readonly #bodyStarts: number[] = [0];
  readonly #columns = new ColumnsWriter();
  readonly #rows = new RowsWriter();
  readonly #ofProjects = new ValuesWriter();
  readonly #ofRows = new ValuesWriter();
  readonly #terms = new TermsWriter();
  readonly #bodies: StoredFieldsWriter;

  constructor(bodies: StoredFieldsWriter) {
    this.#bodies = bodies;
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Adds a document without its text; call `addText` for each text property. */
  add(doc: SearchDocument): void {
    const document = this.#ids.push(doc.project_id) - 1;
    const rows = newestFirst(rowsOf(doc));
    this.#titles.push(doc.title);
    this.#columns.add(doc);
    this.#ofProjects.add([...projectValues(doc), ...categoryValues(doc)], document);
    rows.forEach((row, i) => {
      this.#ofRows.add(documentValues(row), this.#rows.size + i);
    });
    this.#rows.add(rows);
    const { rows: _rows, ...stored } = doc;
    const body = Buffer.from(JSON.stringify(stored satisfies StoredDocument));
    this.#bodies.write(body);
    this.#bodyStarts.push((this.#bodyStarts.at(-1) as number) + body.length);
    this.#terms.begin(document);
  }

  addText(property: TextProperty, text: SearchDocument[TextProperty]): void {
    this.#terms.add(property, text);
  }

  write(): Sections {
    const sections: Sections = new Map();
    this.#columns.write(sections);
    writeOrders(sections, new Columns(sections), this.#ids);
    this.#rows.write(sections);
    this.#ofProjects.write(sections, 'projects', this.size);
    this.#ofRows.write(sections, 'row_values', this.#rows.size);
    writeRowValues(sections, this.#rows.size);
    writeTitles(sections, this.#titles);
    const { terms, titled } = this.#terms.write(sections);
    writeTypos(sections, terms, titled);
    sections.set('bodies.start', Float64Array.from(this.#bodyStarts));
    return sections;
  }
}

/** Searchable documents in flat sections. Only counters and liveness change. */
export class Segment {
  readonly ids: readonly string[];
  readonly columns: Columns;
  readonly orders: Orders;
  readonly rows: Rows;
  readonly ofProjects: Values;
  readonly ofRows: Values;
  readonly rowValues: RowValues;
  readonly titles: Titles;
  readonly postings: Postings;
  readonly typos: Typos;
  readonly bytes: number;
  #alive: Bits;
  #living: number;
  readonly #bodyStarts: Float64Array;
  readonly #bodies: StoredFields;

  constructor(sections: Sections, bodies: StoredFields, ids: readonly string[]) {
    this.ids = ids;
    this.columns = new Columns(sections);
    this.orders = new Orders(sections, this.columns, ids);
    this.rows = new Rows(sections);
    this.ofProjects = new Values(sections, 'projects', this.size);
    this.ofRows = new Values(sections, 'row_values', this.rows.size);
    this.rowValues = new RowValues(sections);
    this.titles = new Titles(sections);
    this.postings = new Postings(sections, this.size);
    this.typos = new Typos(sections, this.postings.terms);
    this.bytes = [...sections.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#alive = full(this.size);
    this.#living = this.size;
    this.#bodyStarts = section(sections, 'bodies.start', Float64Array);
    this.#bodies = bodies;
  }

  get size(): number {
    return this.ids.length;
  }

  /** Live documents: not replaced by a newer layer and not removed. */
  get alive(): Bits {
    return this.#alive;
  }

  get living(): number {
    return this.#living;
  }

  isAlive(document: number): boolean {
    return has(this.#alive, document);
  }

  kill(document: number): void {
    if (!has(this.#alive, document)) return;
    clear(this.#alive, document);
    this.#living--;
  }

  /** Makes all documents live again. */
  revive(): void {
    this.#alive = full(this.size);
    this.#living = count(this.#alive);
  }

  /** The stored fields of a document with current counters. */
  fields(document: number): StoredDocument {
    const [from, to] = [this.#bodyStarts[document] as number, this.#bodyStarts[document + 1] as number];
    const stored = JSON.parse(this.#bodies.read(from, to - from).toString()) as StoredDocument;
    const { downloads, follows } = this.columns;
    return { ...stored, downloads: downloads[document] as number, follows: follows[document] as number };
  }
}
