import { type Random, random } from '../../../demo/art/random.ts';
import type { SearchEngine } from '../engine.ts';
import { spaceless, titleForms } from '../query/tokenize.ts';
import { fitsSynonym, hasWords, synonymOf, withStopWords } from './evaluation/other-words.ts';
import type { Target } from './evaluation/target.ts';

interface Recipe {
  kind: string;
  /** The query for a target, null when its title is not suitable. */
  query(target: Target, source: Random): string | null;
  /** Whether another project than the target also counts as correct. */
  counts?(candidate: Target, query: string): boolean;
  /** Skips queries that equal the title of another project, which must come first. */
  unlessTitle?: boolean;
}

const lower = (text: string): string => text.toLowerCase();
const tokensOf = (title: string): string[] => title.split(/[\s:]+/).filter(Boolean);
const longestLatinToken = (title: string): string | null => {
  const [longest] = (title.match(/[A-Za-z]+/g) ?? []).sort((a, b) => b.length - a.length);
  return longest && longest.length >= 5 ? longest : null;
};
/** The title with a typo in its longest Latin word, after the first letter. */
function mistyped(
  { title }: Target,
  change: (word: string, at: number) => string,
  source: Random,
): string | null {
  const word = longestLatinToken(title);
  if (!word) return null;
  const wrong = change(word, source.int(1, word.length - 2));
  return wrong === word ? null : lower(title.replace(word, wrong));
}

/** Reversed, or with the first word last, or with the last word first. Null when that changes nothing. */
function reordered({ title }: Target, source: Random): string | null {
  const tokens = tokensOf(lower(title));
  const turned = source.pick([
    tokens.toReversed(),
    [...tokens.slice(1), ...tokens.slice(0, 1)],
    [...tokens.slice(-1), ...tokens.slice(0, -1)],
  ]);
  return turned.join() === tokens.join() ? null : turned.join(' ');
}

/** All words of a name of so many words, the last one first. */
const reversed =
  (words: number) =>
  ({ title }: Target): string | null => {
    const tokens = tokensOf(lower(title));
    const turned = tokens.toReversed().join(' ');
    return tokens.length === words && turned !== tokens.join(' ') ? turned : null;
  };

/** Query kinds of the evaluation. Source: search §3.6. */
const recipes: Recipe[] = [
  { kind: 'exact', query: ({ title }) => lower(title) },
  {
    kind: 'prefix',
    query: ({ title }) =>
      title.length * 0.75 >= 5 ? lower(title.slice(0, Math.floor(title.length * 0.75))) : null,
    counts: ({ title }, query) => spaceless(title).startsWith(spaceless(query)),
  },
  {
    kind: 'dropped letter',
    query: (target, source) => mistyped(target, (word, at) => word.slice(0, at) + word.slice(at + 1), source),
  },
  {
    kind: 'swapped letters',
    query: (target, source) =>
      mistyped(
        target,
        (word, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
        source,
      ),
  },
  {
    kind: 'joined words',
    query: ({ title }) => {
      const [first, second, ...rest] = tokensOf(lower(title));
      return first && second ? [first + second, ...rest].join(' ') : null;
    },
  },
  {
    kind: 'reversed words',
    query: ({ title }) => (tokensOf(title).length > 1 ? tokensOf(lower(title)).reverse().join(' ') : null),
  },
  { kind: 'reordered words', query: reordered, unlessTitle: true },
  { kind: 'two words reversed', query: reversed(2), unlessTitle: true },
  { kind: 'three words reversed', query: reversed(3), unlessTitle: true },
  {
    kind: 'author and word',
    query: ({ title, author }) => {
      const word = longestLatinToken(title);
      return word ? lower(`${author} ${word}`) : null;
    },
    counts: () => false,
  },
  {
    kind: 'stop words',
    query: ({ title }, source) => withStopWords(lower(title), source),
    counts: ({ title }, query) => spaceless(title) === titleForms(query).map(spaceless).at(-1),
  },
  { kind: 'synonym', query: ({ tags }, source) => synonymOf(tags, source), counts: fitsSynonym },
  {
    kind: 'synonym and word',
    query: ({ title, tags }, source) => {
      const [synonym, word] = [synonymOf(tags, source), longestLatinToken(title)];
      return synonym && word ? lower(`${synonym} ${word}`) : null;
    },
    counts: (candidate, query) => {
      const last = query.lastIndexOf(' ');
      const named = hasWords({ ...candidate, summary: '' }, query.slice(last + 1));
      return hasWords(candidate, query) || (named && fitsSynonym(candidate, query.slice(0, last)));
    },
  },
];

/** Target rate of correct first hits, in per cent by kind. Source: search §3.6. */
export const floors: Record<string, number> = {
  exact: 98,
  prefix: 95,
  'dropped letter': 90,
  'swapped letters': 90,
  'joined words': 95,
  'reversed words': 95,
  'reordered words': 95,
  'two words reversed': 95,
  'three words reversed': 95,
  'author and word': 93,
  'stop words': 95,
  synonym: 98,
  'synonym and word': 95,
  all: 95,
};
/** Target rate for the first five hits, over all kinds. */
export const floorTop5 = 98;

export interface Judged {
  kind: string;
  queries: number;
  /** per cent */
  top1: number;
  top5: number;
  p50_ms: number;
  p99_ms: number;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function judged(kind: string, ranks: number[], times: number[]): Judged {
  const share = (within: number) =>
    rounded((100 * ranks.filter((rank) => rank < within).length) / Math.max(1, ranks.length));
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { kind, queries: ranks.length, top1: share(1), top5: share(5), p50_ms: at(0.5), p99_ms: at(0.99) };
}

/** Popular targets are more frequent: the most popular of three drawn. */
function target(targets: Target[], source: Random): Target {
  const drawn = [source.pick(targets), source.pick(targets), source.pick(targets)];
  return drawn.reduce((best, one) => (one.downloads > best.downloads ? one : best));
}

export interface Evaluation {
  /** Queries per kind. */
  each?: number;
  /** The same seed gives the same queries. */
  seed?: string;
  /** Called for each query whose target did not come first. */
  onMiss?: (miss: { kind: string; text: string; meant: Target; ids: string[] }) => void;
}

/**
 * Rate of targets that come first and among the first five, by query kind and overall. A title that equals the
 * target's or the query counts as correct: two reversed words are often the name of another project. Reordered queries
 * must find their target and are skipped when they are such a name. The same seed gives the same queries.
 */
export async function evaluate(
  engine: Pick<SearchEngine, 'search'>,
  targets: Target[],
  { each = 150, seed = 'evaluation', onMiss }: Evaluation = {},
): Promise<Judged[]> {
  const known = new Map(targets.map((one) => [one.project_id, one]));
  const keys = new Set(targets.map(({ title }) => spaceless(title)));
  const table: Judged[] = [];
  const all = { ranks: [] as number[], times: [] as number[] };
  for (const { kind, query, counts, unlessTitle } of recipes) {
    const source = random(`${seed} ${kind}`);
    const ranks: number[] = [];
    const times: number[] = [];
    for (let tries = 0; ranks.length < each && tries < each * 20; tries++) {
      const meant = target(targets, source);
      const text = query(meant, source);
      if (!text || (unlessTitle && keys.has(spaceless(text)))) continue;
      const started = performance.now();
      const { ids } = await engine.search({ text, filter: null, sort: 'relevance', offset: 0, limit: 5 });
      times.push(performance.now() - started);
      const same = [spaceless(meant.title), spaceless(text)];
      const right = (id: string) => {
        const candidate = known.get(id);
        if (!candidate) return false;
        return (
          id === meant.project_id || same.includes(spaceless(candidate.title)) || counts?.(candidate, text)
        );
      };
      const rank = ids.findIndex(right);
      if (rank !== 0) onMiss?.({ kind, text, meant, ids });
      ranks.push(rank < 0 ? Number.POSITIVE_INFINITY : rank);
    }
    table.push(judged(kind, ranks, times));
    all.ranks.push(...ranks);
    all.times.push(...times);
  }
  return [...table, judged('all', all.ranks, all.times)];
}
