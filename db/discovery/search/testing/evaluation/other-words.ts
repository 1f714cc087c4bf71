import type { Random } from '../../../../demo/art/random.ts';
import { synonymRows } from '../../query/data/synonyms.ts';
import { isTag, phrasesOf, targetsOf } from '../../query/synonyms.ts';
import { spaceless, tokens } from '../../query/tokenize.ts';
import type { Target } from './target.ts';

/** Queries in other words than a project's own, for the evaluation. */

const rows = synonymRows.map(([targets, words]) => ({
  targets: targetsOf(targets),
  phrases: phrasesOf(words),
}));
const named = (phrase: string) =>
  rows.filter(({ phrases }) => phrases.includes(phrase)).flatMap(({ targets }) => targets);

/** A synonym of one of the tags, null when none has one. */
export function synonymOf(tags: readonly string[], source: Random): string | null {
  const phrases = rows
    .filter(({ targets }) => targets.some((target) => isTag(target) && tags.includes(target.value)))
    .flatMap((row) => row.phrases);
  return phrases.length > 0 ? source.pick(phrases) : null;
}

/** Whether title and summary have all words of a text. */
export function hasWords({ title, summary }: Target, text: string): boolean {
  const words = [...tokens(title), ...tokens(summary), spaceless(title)];
  return text.split(' ').every((word) => words.some((one) => one.startsWith(word)));
}

/** Whether a project has what a synonym stands for, or its words. */
export const fitsSynonym = (target: Target, phrase: string): boolean =>
  hasWords(target, phrase) ||
  named(phrase).some((one) => (isTag(one) ? target.tags.includes(one.value) : hasWords(target, one.word)));

/** A title as people write it into a sentence. */
export function withStopWords(title: string, source: Random): string {
  const [first = '', ...others] = title.split(' ');
  return source.pick([
    `the ${title}`,
    `a ${title} for minecraft`,
    `my ${title}`,
    others.length > 0 ? `${first} and the ${others.join(' ')}` : `the ${first}`,
    `das ${title}`,
  ]);
}
