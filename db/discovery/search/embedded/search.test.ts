import { describe, expect, it } from 'vitest';
import { sampleDocument } from '../documents/sample-document.ts';
import type { Query, SearchDocument } from '../engine.ts';
import { type RelaxedQuery, relaxations } from '../query/relaxation.ts';
import { full } from './bits.ts';
import { Layer, sectionsOf } from './layer.ts';
import { LayeredIndex } from './layered-index.ts';
import { Matcher, newBudget } from './match.ts';
import { memoryStoredFields } from './stored-fields.ts';

const blank: SearchDocument = {
  ...sampleDocument,
  ...{ slug: '', title: '', description: '', author: 'nobody', organization: null, categories: [], rows: [] },
  ...{ downloads: 100, follows: 0, newest_version: 0 },
};

/** An index of documents with these titles; queries give titles. */
function indexOf(...docs: Array<Partial<SearchDocument> & { title: string }>) {
  const whole = docs.map((doc, i) => ({ ...blank, project_id: `P${String(i).padStart(7, '0')}`, ...doc }));
  const bodies = memoryStoredFields();
  const parts = new LayeredIndex();
  parts.adopt({ base: { sections: sectionsOf(whole, bodies), bodies }, warm: null, dead: [], changes: [] });
  const ask = (text: string, query: Partial<Query> = {}) => {
    const found = parts.search({ text, filter: null, sort: 'relevance', offset: 0, limit: 20, ...query });
    return { ...found, titles: parts.fields(found.ids).map((stored) => stored?.title) };
  };
  return { ask, finds: (text: string) => ask(text).titles };
}

describe('words', () => {
  it('are found by prefix: the last one from its first letter, others from three letters on', () => {
    const { finds } = indexOf({ title: 'Copper Lantern' }, { title: 'Iron Gate' });
    for (const text of ['l', 'lan', 'copper l', 'cop lan', 'Copper Lantern'])
      expect(finds(text), text).toEqual(['Copper Lantern']);
    expect(finds('co zebra')).toEqual([]);
  });

  it('match prefixes of titles from one letter on, of people from three, of all fields from four', () => {
    const { finds } = indexOf({ title: 'Gate', author: 'zolan', description: 'zolder zola' });
    expect(finds('zo')).toEqual([]);
    expect(finds('zol')).toEqual(['Gate']);
    const { finds: other } = indexOf({ title: 'Gate', description: 'lanterns' });
    expect([other('lan'), other('lant')]).toEqual([[], ['Gate']]);
  });

  it('match slugs completely, or from three letters on', () => {
    const { finds } = indexOf({ title: 'Just Enough Lanterns', slug: 'qei-fabric' });
    for (const text of ['qei', 'fab', 'enough fabric', 'lanterns fab']) expect(finds(text)).toHaveLength(1);
    for (const text of ['fa', 'qe']) expect(finds(text)).toEqual([]);
  });

  it('rank a name that continues as typed before one that ends a letter earlier', () => {
    const { finds } = indexOf({ title: 'Craft', downloads: 9_000_000 }, { title: 'Craft Corner' });
    expect(finds('craft c')).toEqual(['Craft Corner', 'Craft']);
  });

  it('must all match, each in any field', () => {
    const { finds } = indexOf(
      { title: 'Lantern', author: 'ada', categories: ['magic'], description: 'Light for caves' },
      { title: 'Lantern', author: 'grace' },
    );
    expect(finds('lantern ada')).toHaveLength(1);
    expect(finds('caves magic ada lantern')).toHaveLength(1);
  });

  it('match whatever the case, accents, camelCase, possessives, and in scripts without spaces', () => {
    const { finds } = indexOf(
      { title: "Über FastLantern's" },
      { title: '地図の灯り' },
      { title: '한국어 지도' },
    );
    for (const text of ['uber', 'ÜBER', 'fastlantern', 'fast lantern', "lantern's"])
      expect(finds(text), text).toEqual(["Über FastLantern's"]);
    expect(finds('地図')).toEqual(['地図の灯り']);
    expect(finds('灯り')).toEqual(['地図の灯り']);
    expect(finds('한국')).toEqual(['한국어 지도']);
  });

  it('may have one typo, not two', () => {
    const { finds } = indexOf({ title: 'Lantern' });
    for (const text of ['lantrn', 'lanterrn', 'lantirn', 'latnern'])
      expect(finds(text), text).toEqual(['Lantern']);
    for (const text of ['latnren', 'lxntexn', 'xyz']) expect(finds(text), text).toEqual([]);
  });

  it('may be joined or split, and one may be wrong', () => {
    const { finds } = indexOf({ title: 'Copper Lantern Post' }, { title: 'Sandstone' });
    expect(finds('copperlantern post')).toEqual(['Copper Lantern Post']);
    expect(finds('sand stone')).toEqual(['Sandstone']);
    expect(finds('lantern by copper')).toEqual(['Copper Lantern Post']);
  });

  it('find nothing when there are none in the text', () => {
    expect(indexOf({ title: 'Lantern' }).ask('?!').total).toBe(0);
  });
});

describe('a result', () => {
  it('starts with the exact title, then titles with that prefix, then by popularity', () => {
    const { finds } = indexOf(
      { title: 'Better Lantern', downloads: 9_000_000 },
      { title: 'Lantern Posts', downloads: 100_000 },
      { title: 'Lantern', downloads: 5 },
      { title: 'Old Lantern', downloads: 3 },
    );
    expect(finds('lantern')).toEqual(['Lantern', 'Lantern Posts', 'Better Lantern', 'Old Lantern']);
  });

  it('has strict matches only when there are five, else also those with typos', () => {
    const many = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((name) => ({ title: `Lantern ${name}` }));
    expect(indexOf(...many, { title: 'Lanterm' }).ask('lantern').total).toBe(5);
    expect(indexOf(...many.slice(1), { title: 'Lanterm' }).ask('lantern').total).toBe(5);
  });

  it('has the same matches when sorted by a column, with their number', () => {
    const { ask } = indexOf(
      { title: 'Lantern', downloads: 1, follows: 9 },
      { title: 'Gate', downloads: 9, follows: 10 },
      { title: 'Lantern Post', downloads: 5, follows: 2 },
    );
    expect(ask('lantern', { sort: 'downloads' })).toMatchObject({
      titles: ['Lantern Post', 'Lantern'],
      total: 2,
    });
    expect(ask('lantern', { sort: 'follows' }).titles).toEqual(['Lantern', 'Lantern Post']);
    expect(ask('lantern', { offset: 1, limit: 1 })).toMatchObject({ titles: ['Lantern Post'], total: 2 });
  });

  it('has no gaps and no duplicates between pages', () => {
    const { ask } = indexOf(
      ...Array.from({ length: 500 }, (_, i) => ({ title: `Lantern ${i}`, downloads: i % 7 })),
    );
    const whole = ask('lantern', { limit: 500 }).ids;
    const paged = Array.from(
      { length: 50 },
      (_, page) => ask('lantern', { offset: page * 10, limit: 10 }).ids,
    );
    expect(paged.flat()).toEqual(whole);
    expect(new Set(whole).size).toBe(500);
  });
});

describe('the work limit', () => {
  it('truncates a query that reads too many postings, and reports it', () => {
    const docs = Array.from({ length: 50 }, (_, i) => ({
      ...blank,
      project_id: `P${String(i).padStart(7, '0')}`,
      title: `Lantern ${i}`,
    }));
    const bodies = memoryStoredFields();
    const part = new Layer({ sections: sectionsOf(docs, bodies), bodies });
    const reading = relaxations('lantern').next().value as RelaxedQuery;
    const matched = (postings: number) => {
      const budget = { ...newBudget(), postings };
      const { documents } = new Matcher(part.segment).match(reading, full(docs.length), budget);
      return { found: documents.length, cut: budget.cut };
    };
    expect(matched(1_000)).toEqual({ found: 50, cut: false });
    expect(matched(20)).toEqual({ found: 0, cut: true });
  });
});
