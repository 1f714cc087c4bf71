import { describe, expect, it } from 'vitest';
import {
  contentsOf,
  type Listed,
  minutesToRead,
  neighborsOf,
  newestFirst,
  relatedTo,
  withFeatured,
} from './arrange.ts';

const article = (slug: string, change: Partial<Listed> = {}): Listed => ({
  slug,
  title: slug,
  date: '2026-11-20',
  topics: ['product'],
  featured: false,
  ...change,
});
const slugs = (articles: readonly Listed[]) => articles.map(({ slug }) => slug);

const old = article('old', { date: '2026-01-02', topics: ['search', 'performance'] });
const b = article('b');
const a = article('a', { topics: ['search'] });
const c = article('c', { featured: true, topics: ['search', 'performance'] });
const all = [old, b, a, c];

describe('articles', () => {
  it('stand newest first, on one day the featured one and then by title', () => {
    expect(slugs(newestFirst(all))).toEqual(['c', 'a', 'b', 'old']);
  });

  it('have the featured one at the top, else the newest', () => {
    expect(withFeatured(all).first).toBe(c);
    expect(withFeatured([old, b]).first).toBe(b);
    expect(slugs(withFeatured(all).others)).toEqual(['a', 'b', 'old']);
    expect(withFeatured([])).toEqual({ first: null, others: [] });
  });

  it('are related by their topics, most of them first', () => {
    expect(slugs(relatedTo(old, all))).toEqual(['c', 'a']);
    expect(relatedTo(b, all)).toEqual([]);
    expect(slugs(relatedTo(old, all, 1))).toEqual(['c']);
  });

  it('know the one before and the one after', () => {
    expect(neighborsOf(a, all)).toEqual({ earlier: b, later: c });
    expect(neighborsOf(c, all).later).toBe(null);
    expect(neighborsOf(old, all).earlier).toBe(null);
  });
});

it('takes a minute for 220 words, and counts no code', () => {
  expect(minutesToRead('one word')).toBe(1);
  expect(minutesToRead('word '.repeat(660))).toBe(3);
  expect(minutesToRead(`${'word '.repeat(220)}\n\`\`\`sh\n${'npm start '.repeat(900)}\n\`\`\`\n`)).toBe(1);
});

it('lists the parts of an article from four on', () => {
  const parts = (count: number) => Array.from({ length: count }, () => ({ depth: 2 }));
  expect(contentsOf(parts(3))).toEqual([]);
  expect(contentsOf([...parts(4), { depth: 3 }])).toHaveLength(4);
});
