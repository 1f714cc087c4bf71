import { LRUCache } from 'lru-cache';
import type { CountGroup, FilterTree } from '../engine.ts';
import { kindOf, leavesOf } from '../query/filter-leaves.ts';
import type { RelaxedQuery } from '../query/relaxation.ts';
import { type Bits, full, has, invert, membersOf, selected } from './bits.ts';
import { countFew } from './count-few.ts';
import { countMany } from './count-many.ts';
import { type Matches, matching } from './filter.ts';
import { filterTest, type Test } from './filter-test.ts';
import type { Budget, Matcher } from './match.ts';
import type { Rows } from './rows.ts';
import { Options } from './satisfying.ts';
import type { Segment } from './segment.ts';

/** Remaining work of a request for counts, in rows looked at or words of bit sets read. */
export interface CountWork {
  steps: number;
}
/** About 50 ms. */
export const newCountWork = (): CountWork => ({ steps: 20_000_000 });

/** So many documents are looked at one by one instead of as bit sets. */
const few = 2_000;
/** Filters whose bit sets a segment keeps: each letter that is typed counts with the same ones. */
const max_filters = 48;
/** Groups of options whose counts a segment keeps. */
const max_kept = 500;

/** The documents of a filter: each has a row that passes. */
interface Candidates {
  documents: Uint32Array;
  /** null: every row passes. */
  passes: Test | null;
  /** The rows that pass, unless the documents are few. */
  bits: Bits | null;
}

/** Counts the options of filters on one segment. */
export class OptionCounts {
  readonly #segment: Segment;
  readonly #matcher: Matcher;
  readonly #options: Options;
  /** Counts without text by group, removed documents included: those never change. */
  readonly #kept = new LRUCache<string, number[]>({ max: max_kept });
  /** Documents that match the text; null: without text. */
  #matched: Uint32Array | null = null;
  #removed: Uint32Array | null = null;
  /** Documents, removed ones included, and rows of filters without comparisons of numbers. */
  readonly #filters = new LRUCache<string, Matches>({ max: max_filters });
  readonly #names = new WeakMap<FilterTree, string>();
  /** By filter, for the current relaxation. */
  #candidates = new Map<FilterTree | null, Candidates>();

  constructor(segment: Segment, matcher: Matcher) {
    this.#segment = segment;
    this.#matcher = matcher;
    this.#options = new Options(segment);
  }

  /** Begins a request. */
  begin(): void {
    this.#removed = null;
  }

  /** Counts among the live documents that match a relaxation from now on; null: among all. */
  match(reading: RelaxedQuery | null, budget: Budget): void {
    const { alive } = this.#segment;
    this.#candidates = new Map();
    this.#matched = reading && this.#matcher.match(reading, alive, budget).documents;
  }

  /** For each option the live documents that satisfy filter and option with one row; null: `work` is used up. */
  count(group: CountGroup, work: CountWork): number[] | null {
    const { alive, size } = this.#segment;
    if (this.#matched) return this.#among(this.#matched, group, work);
    if (comparesNumbers([group.filter, ...group.options]))
      return this.#among(membersOf(alive, size), group, work);
    const all = this.#withRemoved(group, work);
    if (!all) return null;
    this.#removed ??= membersOf(inverted(alive, size), size);
    const removed = this.#among(this.#removed, group, work);
    return removed && all.map((total, i) => total - (removed[i] as number));
  }

  #withRemoved(group: CountGroup, work: CountWork): number[] | null {
    const name = JSON.stringify(group);
    const counts = this.#kept.get(name) ?? this.#among(null, group, work);
    if (counts) this.#kept.set(name, counts);
    return counts;
  }

  /** `among` null: all documents. */
  #among(among: Uint32Array | null, { filter, options }: CountGroup, work: CountWork): number[] | null {
    const { rows, size } = this.#segment;
    const bits = rows.size >>> 5;
    const current = among === this.#matched ? this.#candidates : new Map<FilterTree | null, Candidates>();
    const known = current.has(filter) || this.#filters.has(this.#nameOf(filter));
    work.steps -= (among?.length ?? size) + (known ? 0 : leavesOf(filter).length * bits);
    if (work.steps < 0) return null;
    const candidates = current.get(filter) ?? this.#candidatesOf(among, filter);
    current.set(filter, candidates);
    const { documents } = candidates;
    work.steps -= documents.length * Math.ceil(rows.size / Math.max(1, rows.documents));
    if (documents.length > few) work.steps -= options.length * (size >>> 5);
    if (work.steps < 0) return null;
    const satisfying = options.map((option) => this.#options.of(option));
    return documents.length > few
      ? countMany(this.#segment, documents, candidates, satisfying)
      : countFew(this.#segment, documents, candidates.passes, satisfying);
  }

  #candidatesOf(among: Uint32Array | null, filter: FilterTree | null): Candidates {
    const { rows: all, size } = this.#segment;
    if (!filter) return { documents: among ?? membersOf(full(size), size), passes: null, bits: null };
    const name = this.#nameOf(filter);
    const known = this.#filters.get(name);
    if (among && among.length <= few && !known) {
      const { document, row } = filterTest(this.#segment, filter);
      const fits = (at: number) => document(at, -1) && (!row || passesAny(all, at, row));
      return { documents: selected(among, fits), passes: row, bits: null };
    }
    const matches = known ?? matching(this.#segment, filter);
    if (!comparesNumbers([filter])) this.#filters.set(name, matches);
    const { documents, rows } = matches;
    const fits = (at: number) => has(documents, at) && (!rows || all.has(rows, at));
    return {
      documents: selected(among ?? membersOf(documents, size), fits),
      passes: rows && ((_, row) => has(rows, row)),
      bits: rows,
    };
  }

  #nameOf(filter: FilterTree | null): string {
    if (!filter) return '';
    const name = this.#names.get(filter) ?? JSON.stringify(filter);
    this.#names.set(filter, name);
    return name;
  }
}

function passesAny(rows: Rows, document: number, passes: Test): boolean {
  const end = rows.startOf(document + 1);
  for (let row = rows.startOf(document); row < end; row++) if (passes(document, row)) return true;
  return false;
}

function inverted(bits: Bits, size: number): Bits {
  const others = bits.slice();
  invert(others, size);
  return others;
}

/** Whether trees compare numbers, which may change in a segment. */
const comparesNumbers = (trees: ReadonlyArray<FilterTree | null>): boolean =>
  trees.some((tree) => leavesOf(tree).some((leaf) => kindOf(leaf) === 'number'));

/** For each option the sum over the layers of an index; null: `work` is used up. */
export function totalsOf(
  layers: readonly OptionCounts[],
  group: CountGroup,
  work: CountWork,
): Array<number | null> {
  const counts = layers.map((layer) => layer.count(group, work));
  return group.options.map((_, i) =>
    counts.reduce<number | null>(
      (sum, found) => (sum === null || found === null ? null : sum + (found[i] as number)),
      0,
    ),
  );
}
