import { type RelaxedQuery, synonym_quality, type TextQuery } from '../query/relaxation.ts';
import { isTag, type Tag } from '../query/synonyms.ts';
import type { Members } from './facet-values.ts';
import type { Segment } from './segment.ts';
import { fieldBits, fields, firstFields } from './terms.ts';

const qualities = { exact: 1, unfinished: 0.75, start: 0.45, typo: 0.45 } as const;
const allFields = (1 << fieldBits) - 1;

/** Alternative terms for a word, with their quality and fields. */
export interface Expansion {
  from: number;
  to: number;
  quality: number;
  fields: number;
  /** Rarity of all of them together; each has its own when absent. */
  rarity?: number;
}

/** Fields in which a prefix is searched: few for short ones. Source: search §3. */
function fieldsOfStart({ length }: string): number {
  if (length < 3) return fields.title_first | fields.title | fields.joined;
  return length < 4 ? firstFields : allFields;
}

function expansionsOf(
  { postings, typos }: Segment,
  { text, last }: TextQuery,
  withTypos: boolean,
): Expansion[] {
  const found: Expansion[] = [];
  const exact = postings.terms.find(text);
  if (exact >= 0) found.push({ from: exact, to: exact + 1, quality: qualities.exact, fields: allFields });
  if (last || text.length >= 3) {
    const [from, to] = postings.terms.startingWith(text);
    const quality = last ? qualities.unfinished : qualities.start;
    // small layers ask the base, so only for terms they have
    if (to > from)
      found.push({ from, to, quality, fields: fieldsOfStart(text), rarity: postings.rarityOfPrefix(text) });
  }
  if (withTypos)
    for (const t of typos.near(text))
      found.push({ from: t, to: t + 1, quality: qualities.typo, fields: allFields });
  return found;
}

/** What matches a word: terms; by its synonyms: other terms, and projects with a tag. */
export interface Alternatives {
  terms: Expansion[];
  synonyms: Expansion[];
  tagged: Members[];
}

/** What matches a word in a segment. */
export function alternativesOf(segment: Segment, word: TextQuery, withTypos: boolean): Alternatives {
  const { terms } = segment.postings;
  const found = word.synonyms.map((one) => (isTag(one) ? -1 : terms.find(one.word))).filter((at) => at >= 0);
  return {
    terms: expansionsOf(segment, word, withTypos),
    synonyms: found.map((at) => ({ from: at, to: at + 1, quality: synonym_quality, fields: allFields })),
    tagged: word.synonyms.filter(isTag).flatMap((tag) => membersOf(segment, tag)),
  };
}

const membersOf = ({ ofProjects }: Segment, { key, value }: Tag): Members[] => {
  const found = ofProjects.members(key, value);
  return found ? [found] : [];
};

/** Number of postings and projects to read for a word. */
export function costOf({ postings }: Segment, { terms, synonyms, tagged }: Alternatives): number {
  const listed = [...terms, ...synonyms].reduce((sum, { from, to }) => sum + postings.cost(from, to), 0);
  return tagged.reduce((sum, { size }) => sum + size, listed);
}

/** Alternatives as words: joined ones are several, any of which may match. */
export function choices({ tokens, joined }: RelaxedQuery): TextQuery[][] {
  if (!joined) return [tokens];
  const whole = [...tokens.map(({ text }) => text).join('')].slice(0, 40).join('');
  const pairs = tokens.slice(1).map((second, i) => {
    const pair = { text: `${tokens[i]?.text}${second.text}`, last: second.last, synonyms: [] };
    return [...tokens.slice(0, i), pair, ...tokens.slice(i + 2)];
  });
  return [[{ text: whole, last: true, synonyms: [] }], ...pairs];
}
