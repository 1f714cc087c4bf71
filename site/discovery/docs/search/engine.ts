import { create, insertMultiple, type Orama, search, type Tokenizer } from '@orama/orama';
import type { Section } from './sections.ts';

/** A section that was found, with the part of its text around the first match. */
export interface Found extends Section {
  excerpt: string;
}

const schema = { page: 'string', heading: 'string', text: 'string' } as const;

/** At most this many sections of one page, so that it does not fill the list. */
const per_page = 3;

/** `RATE_LIMIT_PER_MINUTE` and `--dry-run` are found by their words. Handbooks are in English. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
const tokenizer: Tokenizer = {
  language: 'english',
  normalizationCache: new Map(),
  tokenize: (text) => [...new Set(wordsOf(text))],
};

/** The embedded search engine of the site, over sections of handbooks; runs in browsers. */
export function docsEngine(sections: readonly Section[]) {
  const engine = create({ schema, components: { tokenizer } });
  insertMultiple(engine, [...sections], sections.length);
  return {
    /** The sections that have all words of `query` or begin with them, best first; without any, close spellings and sections with some. */
    find(query: string, limit: number): Found[] {
      const words = wordsOf(query);
      if (words.length === 0) return [];
      const exact = hitsOf(engine, words, 0).filter((hit) => hasAll(hit, words));
      const hits = phrasesFirst(exact.length > 0 ? exact : hitsOf(engine, words, 1), query);
      const pages = new Map<string, number>();
      const found: Found[] = [];
      for (const hit of hits) {
        const count = pages.get(hit.page) ?? 0;
        pages.set(hit.page, count + 1);
        if (count < per_page && found.length < limit)
          found.push({ ...hit, excerpt: excerptOf(hit.text, words) });
      }
      return found;
    },
  };
}

/** The hits for any of `words`, best first. Orama itself leaves out some that have all words, so `hasAll` filters. */
function hitsOf(engine: Orama<typeof schema>, words: readonly string[], tolerance: number): Section[] {
  const answer = search(engine, {
    term: words.join(' '),
    threshold: 1,
    tolerance,
    limit: 400,
    boost: { heading: 6, page: 2 },
  }) as { hits: Array<{ document: unknown }> };
  return answer.hits.map(({ document }) => document as Section);
}

/** Whether each word begins one of the section. */
function hasAll({ page, heading, text }: Section, words: readonly string[]): boolean {
  const own = ` ${wordsOf(`${page} ${heading} ${text}`).join(' ')}`;
  return words.every((word) => own.includes(` ${word}`));
}

/** Sections that have the query as it was typed, such as the name of a setting, before the others. */
function phrasesFirst(hits: readonly Section[], query: string): Section[] {
  const typed = query.trim().toLowerCase();
  const has = ({ heading, text }: Section) => `${heading} ${text}`.toLowerCase().includes(typed);
  return [...hits.filter(has), ...hits.filter((hit) => !has(hit))];
}

const before = 48;
const length = 150;

/** About 150 characters around the first word that begins like one of `words`, cut between words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const starts = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'iu');
  const at = Math.max(0, text.search(starts));
  const from = at <= before ? 0 : text.indexOf(' ', at - before) + 1;
  const rest = text.slice(from);
  if (rest.length <= length) return (from > 0 ? '… ' : '') + rest;
  const end = rest.lastIndexOf(' ', length);
  return `${from > 0 ? '… ' : ''}${rest.slice(0, end > 0 ? end : length)} …`;
}
