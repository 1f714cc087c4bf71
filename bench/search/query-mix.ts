import { type Random, random } from '#db/demo/art/random.ts';
import { domain } from '#db/demo/bulk-words.ts';
import type { CountQuery, Query } from '#db/discovery/search/engine.ts';
import { sorts } from '#db/discovery/search/sorts.ts';
import type { Target } from '#db/discovery/search/testing/evaluation/target.ts';
import { screenFilter, typesGroup } from './screens.ts';

export interface BenchQuery {
  kind: Kind;
  query: Query;
  /** What the filter panel of its page counts; without options for a query without filters. */
  counts: CountQuery;
}

/** Kinds of query with their share in per cent. Source: search §6. */
const shares = {
  browse: 32,
  'one word': 18,
  'two or three words': 16,
  beginning: 20,
  'one typo': 10,
  'common word': 4,
} as const;
export type Kind = keyof typeof shares;
export const kinds = Object.keys(shares) as Kind[];

const filtered = 0.6;
const far = 0.04;
const furthest = 10_000;

/** The same `count` queries for the same seed, about titles of `targets`, with the mix of users and launchers. */
export function queryMix(targets: readonly Target[], count: number, seed: string): BenchQuery[] {
  const source = random(`mix ${seed}`);
  return Array.from({ length: count }, () => {
    const kind = kindFor(source.next() * 100);
    const browse = kind === 'browse';
    const text = browse ? '' : texts[kind](targets, source);
    const screen = source.next() < filtered ? screenFilter(source) : null;
    return {
      kind,
      query: {
        ...{ text, filter: screen?.filter ?? null },
        sort: browse ? source.pick(sorts) : 'relevance',
        offset: source.next() < far ? source.int(1, furthest / 20) * 20 : 0,
        limit: 20,
      },
      counts: { text, groups: screen ? [...screen.groups, ...(browse ? [] : [typesGroup])] : [] },
    };
  });
}

function kindFor(percent: number): Kind {
  let left = percent;
  for (const kind of kinds) {
    if (left < shares[kind]) return kind;
    left -= shares[kind];
  }
  return 'common word';
}

type Text = (targets: readonly Target[], source: Random) => string;

const texts: Record<Exclude<Kind, 'browse'>, Text> = {
  'one word': (targets, source) => source.pick(wordsOf(targets, source)),
  'two or three words': (targets, source) => {
    for (;;) {
      const words = wordsOf(targets, source);
      if (words.length < 2) continue;
      const many = Math.min(words.length, source.int(2, 3));
      const from = source.int(0, words.length - many);
      return words.slice(from, from + many).join(' ');
    }
  },
  beginning: (targets, source) => source.pick(wordsOf(targets, source)).slice(0, source.int(1, 8)),
  'one typo': (targets, source) => {
    for (;;) {
      const words = wordsOf(targets, source);
      const at = words.findIndex((word) => /^[a-z]{5,}$/.test(word));
      if (at < 0) continue;
      words[at] = mistyped(words[at] as string, source);
      return words.join(' ');
    }
  },
  'common word': (_targets, source) =>
    source.next() < 0.5 ? source.pick(domain.slice(0, 12)) : source.pick([...'abcdefghijklmnoprstuvw']),
};

/** The words of a title: the most popular of three. */
function wordsOf(targets: readonly Target[], source: Random): string[] {
  const drawn = [source.pick(targets), source.pick(targets), source.pick(targets)];
  const { title } = drawn.reduce((best, one) => (one.downloads > best.downloads ? one : best));
  return title.toLowerCase().split(/[\s:]+/);
}

function mistyped(word: string, source: Random): string {
  const at = source.int(1, word.length - 2);
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const letterInstead = source.pick([...'aeiorstn']);
  return source.pick([
    `${before}${next}${after}`,
    `${before}${next}${letter}${after}`,
    `${before}${letterInstead}${next}${after}`,
    `${before}${letter}${letterInstead}${next}${after}`,
  ]);
}
