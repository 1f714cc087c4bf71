import type { CountGroup, CountQuery, CountResult, FilterTree } from '../engine.ts';
import { namesUnknownKey } from './filter-keys.ts';
import { invalidFilter, limits } from './limits.ts';
import { type RelaxedQuery, relaxedWords, wordsOfQuery } from './relaxation.ts';

/** Options to count under one relaxation of the text; null: without text. Equal filters are one object. */
export interface CountStep {
  reading: RelaxedQuery | null;
  groups: CountGroup[];
}
/** For each group of a step and each of its options the total; null: not counted, because of a work limit. */
export type Totals = ReadonlyArray<ReadonlyArray<number | null>>;

type Ladder = ReturnType<typeof relaxedWords>;
/** Options of one group that are still to be counted, with their places in the group. */
interface Open {
  group: number;
  filter: FilterTree | null;
  options: Array<{ tree: FilterTree; place: number; ladder: Ladder | null }>;
}

/**
 * The steps in which an engine counts the options of a query; `next(totals)` takes the totals of the last step. Every
 * option is relaxed on its own, as a search for it would be. Gives the counts by group. Refuses like `assertCountable`.
 */
export function* countSteps({
  text,
  groups,
}: CountQuery): Generator<CountStep, CountResult['counts'], Totals> {
  assertCountable({ groups });
  const counts: CountResult['counts'] = groups.map(({ options }) => options.map(() => 0));
  const blank = text.trim() === '';
  const words = blank ? [] : wordsOfQuery(text);
  if (!blank && words.length === 0) return counts;
  let open = opened(groups);
  const ladder = () => (blank ? null : relaxedWords(words));
  for (const { options } of open) for (const option of options) option.ladder = ladder();
  let reading = next(open, null);
  while (open.length > 0) {
    const totals = yield {
      reading,
      groups: open.map(({ filter, options }) => ({ filter, options: options.map(({ tree }) => tree) })),
    };
    for (const [i, { group, options }] of open.entries())
      for (const [at, { place }] of options.entries()) {
        const row = counts[group] as Array<number | null>;
        const total = totals[i]?.[at] ?? null;
        row[place] = total === null ? null : Math.max(row[place] ?? 0, total);
      }
    reading = next(open, totals);
    open = open.filter(({ options }) => options.length > 0);
  }
  return counts;
}

/** Takes every option a step further and drops those that are done; gives the relaxation of that step. */
function next(open: Open[], totals: Totals | null): RelaxedQuery | null {
  let reading: RelaxedQuery | null = null;
  for (const [i, one] of open.entries())
    one.options = one.options.filter(({ ladder }, at) => {
      if (!ladder) return totals === null;
      // what was not counted needs no further step
      const step = ladder.next(totals ? (totals[i]?.[at] ?? Number.POSITIVE_INFINITY) : 0);
      if (step.done) return false;
      reading = step.value;
      return true;
    });
  return reading;
}

/** Refuses `invalid_input` (400) for more than `limits.options` options. */
export function assertCountable({ groups }: Pick<CountQuery, 'groups'>): void {
  const total = groups.reduce((sum, { options }) => sum + options.length, 0);
  if (total > limits.options) throw invalidFilter('options', `more than ${limits.options} options to count`);
}

/** The options that can match: unknown keys match nothing. */
function opened(groups: readonly CountGroup[]): Open[] {
  const filters = new Map<string, FilterTree | null>();
  const open = groups.map(({ filter, options }, group) => {
    const written = JSON.stringify(filter);
    const shared = filters.get(written) ?? filter;
    filters.set(written, shared);
    const places = options.map((tree, place) => ({ tree, place, ladder: null }));
    return { group, filter: shared, options: places.filter(({ tree }) => !namesUnknownKey(tree)) };
  });
  return open.filter(({ filter, options }) => options.length > 0 && !namesUnknownKey(filter));
}
