import { describe, expect, it } from 'vitest';
import { docsEngine, excerptOf } from './engine.ts';

const section = (page: string, heading: string, text: string) => ({
  page,
  heading,
  text,
  path: `/docs/operators/${page.toLowerCase()}#${heading.toLowerCase()}`,
});
const engine = docsEngine([
  section('Configuration', 'Network', 'RATE_LIMIT_PER_MINUTE is the number of API requests of a network.'),
  section('Limits', 'Fixed', 'An icon has up to 256 KB.'),
  section('Backups', 'Restore', 'Run storage sweep --dry-run first.'),
  section('Nodes', 'Backups', 'There are none yet.'),
  ...[1, 2, 3, 4, 5].map((at) => section('Commands', `Part ${at}`, 'A command of the operator.')),
]);
const headings = (query: string) => engine.find(query, 8).map(({ page, heading }) => `${page} ${heading}`);

describe('the search of the handbooks', () => {
  it.each([
    ['rate limit', 'Configuration Network'],
    ['RATE_LIMIT_PER_MINUTE', 'Configuration Network'],
    ['rate_lim', 'Configuration Network'],
    ['--dry-run', 'Backups Restore'],
    ['ikon', 'Limits Fixed'],
  ])('finds %s', (query, first) => {
    expect(headings(query)[0]).toBe(first);
  });

  it('puts the name of a setting above its words', () => {
    const spread = docsEngine([
      section('Limits', 'Rate limit', 'The limit of a minute, and its rate.'),
      section('Configuration', 'Network', 'RATE_LIMIT is a number.'),
    ]);
    expect(spread.find('RATE_LIMIT', 8).map(({ page }) => page)).toEqual(['Configuration', 'Limits']);
  });

  it('puts a heading above other places', () => {
    expect(headings('backups')).toEqual(['Nodes Backups', 'Backups Restore']);
  });

  it('finds sections with all words, else with some', () => {
    expect(headings('icon fixed')).toEqual(['Limits Fixed']);
    expect(headings('icon network')).toEqual(['Configuration Network', 'Limits Fixed']);
  });

  it('gives at most three sections of a page, and nothing for nothing', () => {
    expect(headings('command')).toHaveLength(3);
    expect(headings(' -- ')).toEqual([]);
  });
});

describe('an excerpt', () => {
  it('is cut between words around the first match', () => {
    const text = `${'before '.repeat(40)}needle ${'after '.repeat(60)}`;
    const excerpt = excerptOf(text, ['need']);
    expect(excerpt).toMatch(/^… (before )+needle (after )+…$/);
    expect(excerpt.length).toBeLessThan(170);
  });

  it('is the whole text when that is short', () => {
    expect(excerptOf('A short text.', ['none'])).toBe('A short text.');
  });
});
