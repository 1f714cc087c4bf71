import { readFileSync } from 'node:fs';
import { create, search } from '@orama/orama';
import { describe, expect, it } from 'vitest';
import { sampleDocument } from '../documents/sample-document.ts';
import { openSaved, openWriter, type Page, searchArguments } from './orama.ts';
import { memoryStoredFields } from './stored-fields.ts';

const bodies = memoryStoredFields();
const maker = openWriter(bodies);
const ids = Array.from({ length: 300 }, (_, i) => `P${String(i).padStart(7, '0')}`);
maker.add(ids.map((project_id) => ({ ...sampleDocument, project_id })));
const made = maker.finish();

const opened = (answer: (query: string) => Page) =>
  openSaved<string>(made.ids, { sections: made.sections, bodies }, answer);

describe('Orama', () => {
  it('is the version whose internals we know', () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../../../node_modules/@orama/orama/package.json', import.meta.url), 'utf8'),
    );
    expect(version).toBe('3.1.18');
  });

  it('calls an index with the twelve arguments we expect', () => {
    const known: unknown[][] = [];
    const db = create({
      schema: { title: 'string' } as const,
      sort: { enabled: false },
      components: {
        index: {
          create: () => ({ vectorIndexes: {} }),
          getSearchableProperties: () => ['title'],
          getSearchablePropertiesWithTypes: () => ({ title: 'string' }),
          searchByWhereClause: () => 'the filter',
          search: (...args: unknown[]) => {
            known.push(args);
            return [];
          },
        } as never,
      },
    });
    search(db, { term: 'lantern', properties: '*', where: { asked: 1 } as never, threshold: 0.5 });
    expect(known).toHaveLength(1);
    const named = Object.fromEntries(known[0]?.map((value, i) => [searchArguments[i], value]) ?? []);
    expect(known[0]).toHaveLength(searchArguments.length);
    expect(named).toMatchObject({
      ...{ index: { vectorIndexes: {} }, term: 'lantern', properties: ['title'], exact: false, tolerance: 0 },
      ...{ boost: {}, relevance: { k: 1.2, b: 0.75, d: 0.5 }, documents: 0 },
      ...{ filter: 'the filter', threshold: 0.5, tokenizer: db.tokenizer },
    });
  });

  it('keeps the ids of inserted documents, in order', () => {
    expect(made.ids).toEqual(ids);
    const part = opened(() => ({ total: 0, hits: [] }));
    expect([part.documentOf('P0000000'), part.documentOf('P0000299')]).toEqual([0, 299]);
  });

  it('returns a page with the total number of hits', () => {
    const hits = [
      { document: 7, key: 3 },
      { document: 5, key: 2.5 },
    ];
    const part = opened(() => ({ total: 90_000, hits }));
    expect(part.find('lantern', '', 2)).toEqual({ total: 90_000, hits });
    expect(part.find('', '', 2)).toEqual({ total: 90_000, hits });
    expect(part.find('', '', 1).hits).toHaveLength(1);
  });

  it('does not create an id for an unknown one in a query', () => {
    const part = opened(() => ({ total: 0, hits: [] }));
    for (const id of ['nobody', '__proto__', 'constructor']) expect(part.documentOf(id)).toBeUndefined();
    expect(part.segment.ids).toHaveLength(ids.length);
  });

  it('rejects a document that does not fit its schema', () => {
    const other = openWriter(memoryStoredFields());
    expect(() => other.add([{ ...sampleDocument, downloads: 'many' as never }])).toThrow(/downloads|schema/i);
  });
});
