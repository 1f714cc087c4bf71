import type { FilterTree, SearchDocument } from '../engine.ts';
import type { RelaxedQuery } from '../query/relaxation.ts';
import type { Sort } from '../sorts.ts';
import { and, type Bits, bitsFor, count, selected, set } from './bits.ts';
import { type Matches, matching } from './filter.ts';
import { type Budget, Matcher } from './match.ts';
import { OptionCounts } from './option-counts.ts';
import { openSaved, openWriter, type Page } from './orama.ts';
import { best, type RankedHit, ranked } from './rank.ts';
import type { Sections } from './sections.ts';
import type { Segment } from './segment.ts';
import { columnOf } from './sort-orders.ts';
import type { StoredFields, StoredFieldsWriter } from './stored-fields.ts';
import { Strings, writeStrings } from './string-table.ts';

/** A stored segment: its sections, including ids, and its stored hits. */
export interface Saved {
  sections: Sections;
  bodies: StoredFields;
}

/** One relaxation of a query, run on one layer. */
export interface LayerQuery {
  text: string;
  /** null: everything the filter matches. */
  reading: RelaxedQuery | null;
  filter: FilterTree | null;
  sort: Sort;
  only: ReadonlySet<string> | null;
  budget: Budget;
  /** Filter and ids evaluated per layer; computed once for all relaxations of a query. */
  scopes: Map<Layer, Matches>;
  /** The requested positions: `from` to `from + count`. */
  from: number;
  count: number;
}

const chunk = 250;

/** The sections of a segment with these documents, in id order; writes their stored hits to `sink`. */
export async function makeSections(
  docs: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  sink: StoredFieldsWriter,
): Promise<Sections> {
  const maker = openWriter(sink);
  let waiting: SearchDocument[] = [];
  for await (const doc of docs) {
    if (waiting.push(doc) < chunk) continue;
    maker.add(waiting);
    waiting = [];
  }
  maker.add(waiting);
  return finished(maker);
}

/** The same synchronously, for a few documents. */
export function sectionsOf(docs: readonly SearchDocument[], sink: StoredFieldsWriter): Sections {
  const maker = openWriter(sink);
  maker.add(docs);
  return finished(maker);
}

function finished(maker: ReturnType<typeof openWriter>): Sections {
  const { ids, sections } = maker.finish();
  writeStrings(sections, 'ids', ids);
  return sections;
}

/** One Orama database: a searchable segment. */
export class Layer {
  readonly segment: Segment;
  readonly documentOf: (id: string) => number | undefined;
  readonly optionCounts: OptionCounts;
  readonly #find: (term: string, step: LayerQuery, count: number) => Page;
  readonly #matcher: Matcher;
  readonly #touched = new Set<number>();

  constructor(saved: Saved) {
    const { segment, documentOf, find } = openSaved<LayerQuery>(
      new Strings(saved.sections, 'ids').all(),
      saved,
      (step) => this.#answer(step),
    );
    this.segment = segment;
    this.documentOf = documentOf;
    this.#find = find;
    this.#matcher = new Matcher(segment);
    this.optionCounts = new OptionCounts(segment, this.#matcher);
  }

  /** A page of results and the number of all matches. */
  find(step: LayerQuery): { total: number; hits: RankedHit[] } {
    return this.#find(step.text, step, step.count);
  }

  /** The newest version of a found document among the rows that satisfy the filter of `step`. */
  versionOf(document: number, step: LayerQuery): string | null {
    return this.segment.rows.newestVersion(document, this.#matches(step).rows);
  }

  /** Updates counters; call `repair` afterwards to restore the sort orders. */
  touch(document: number, counters: { downloads?: number; follows?: number }): void {
    this.segment.columns.setCounters(document, counters);
    this.#touched.add(document);
  }

  repair(): void {
    if (this.#touched.size > 0) this.segment.orders.repair(this.#touched);
    this.#touched.clear();
  }

  kill(id: string): void {
    const document = this.documentOf(id);
    if (document !== undefined) this.segment.kill(document);
  }

  #answer(step: LayerQuery): Page {
    const scope = this.#matches(step);
    const { reading, sort, from, count: wanted } = step;
    const { orders, columns, rows } = this.segment;
    if (!reading) {
      const documents = this.#combined(scope);
      const total = documents === this.segment.alive ? this.segment.living : count(documents);
      const keys = columns[columnOf[sort]];
      const found = orders.window(sort, documents, from, wanted);
      return { total, hits: found.map((document) => ({ document, key: keys[document] as number })) };
    }
    const matched = this.#matcher.match(reading, scope.documents, step.budget);
    const { rows: fitting } = scope;
    if (fitting) matched.documents = selected(matched.documents, (document) => rows.has(fitting, document));
    const total = matched.documents.length;
    const upTo = from + wanted;
    if (sort === 'relevance') {
      const query_tokens = { text: step.text, words: reading.tokens.length, upTo };
      return { total, hits: ranked(this.segment, matched, query_tokens).slice(from) };
    }
    const keys = columns[columnOf[sort]];
    const first = best(matched.documents, orders.by(sort), upTo).subarray(from);
    return {
      total,
      hits: Array.from(first, (document) => ({ document, key: keys[document] as number })),
    };
  }

  /** The documents of a scope that have one of its rows. */
  #combined({ documents, rows }: Matches): Bits {
    if (!rows) return documents;
    const found = this.segment.rows.documentsOf(rows);
    and(found, documents);
    return found;
  }

  #matches(step: LayerQuery): Matches {
    const known = step.scopes.get(this);
    if (known) return known;
    const made = this.#scopeOf(step);
    step.scopes.set(this, made);
    return made;
  }

  /** Live documents that satisfy filter and ids, without the conditions on rows. */
  #scopeOf({ filter, only }: LayerQuery): Matches {
    const { alive, size } = this.segment;
    const matches: Matches = filter ? matching(this.segment, filter) : { documents: alive, rows: null };
    if (filter) and(matches.documents, alive);
    if (!only) return matches;
    const named = bitsFor(size);
    for (const id of only) {
      const document = this.documentOf(id);
      if (document !== undefined) set(named, document);
    }
    and(named, matches.documents);
    return { ...matches, documents: named };
  }
}
