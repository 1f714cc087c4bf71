import { type AnyOrama, create, insertMultiple, load, type RawData, save, search } from '@orama/orama';
import type { SearchDocument } from '../engine.ts';
import { tokens } from '../query/tokenize.ts';
import type { Sections } from './sections.ts';
import { Segment, SegmentWriter } from './segment.ts';
import type { StoredFields, StoredFieldsWriter } from './stored-fields.ts';
import { type TextProperty, textProperties } from './terms.ts';

/**
 * Orama handles schema, validation, ids, inserting, saving, loading and searching; index and document store are our
 * own flat structures, passed as its public `components`. Source: search §1, §7.
 */
const schema = {
  title: 'string',
  slug: 'string',
  author: 'string',
  organization: 'string',
  categories: 'string[]',
  description: 'string',
  downloads: 'number',
  follows: 'number',
  created_timestamp: 'number',
  modified_timestamp: 'number',
  newest_version: 'number',
} as const satisfies Record<TextProperty, string> & Record<string, string>;
const isText = (property: string): property is TextProperty =>
  (textProperties as readonly string[]).includes(property);

/** The names of the twelve arguments with which Orama 3.1.18 calls `index.search`; we need the eleventh. */
export const searchArguments = [
  'index',
  'term',
  'tokenizer',
  'language',
  'properties',
  'exact',
  'tolerance',
  'boost',
  'relevance',
  'documents',
  'filter',
  'threshold',
] as const;

/** Result of a search: the number of all hits, and the page. */
export interface Page {
  total: number;
  hits: Array<{ document: number; key: number }>;
}

/** Input of a search: any type that `answer` accepts. */
export type Answer<A> = (requested: A) => Page;

/**
 * What Orama takes for the array of all hits as [id, score]: it has the total length but starts with the page, because
 * Orama allocates a list up to the position of the last requested hit. Sorting does nothing. Orama reads nothing else
 * of it.
 */
class Hits {
  readonly [position: number]: [id: number, score: number];
  readonly length: number;

  constructor({ total, hits }: Page) {
    this.length = total;
    hits.forEach(({ document, key }, i) => {
      // Orama ids start at 1
      (this as Record<number, [number, number]>)[i] = [document + 1, key];
    });
  }

  sort(): this {
    return this;
  }
}

/** Our own index tokenizes; Orama only passes this on. */
const tokenizer = {
  language: 'none',
  normalizationCache: new Map(),
  tokenize: (text: string) => tokens(text),
};
const never = (): never => {
  throw new Error('Search segments are immutable: documents cannot be removed or scored individually.');
};
/** Parts of Orama's interface that a flat, immutable index does not need. */
const unused = {
  remove: never,
  insertDocumentScoreParameters: never,
  insertTokenScoreParameters: never,
  removeDocumentScoreParameters: never,
  removeTokenScoreParameters: never,
  calculateResultScores: never,
};

interface Saved {
  sections: Sections;
  bodies: StoredFields;
}

/** The components of one segment: `maker` while it is built, sections after loading. */
function components<A>(maker: SegmentWriter | null, answer: Answer<A>) {
  let segment: Segment | null = null;
  const opened = (): Segment => segment ?? never();
  return {
    segment: opened,
    given: {
      tokenizer,
      getDocumentIndexId: (doc: { project_id: string }) => doc.project_id,
      index: {
        ...unused,
        create: () => ({ vectorIndexes: {} }),
        insert: (_own: unknown, _index: unknown, property: string, ...[, , value]: unknown[]) => {
          if (isText(property)) (maker ?? never()).addText(property, value as string);
        },
        getSearchableProperties: () => Object.keys(schema),
        getSearchablePropertiesWithTypes: () => schema,
        save: () => (maker ?? never()).write(),
        load: (ids: { internalIdToId: string[] }, { sections, bodies }: Saved) => {
          segment = new Segment(sections, bodies, ids.internalIdToId);
          return { vectorIndexes: {} };
        },
        // sort, page and words are passed in `where` and returned as the filter
        searchByWhereClause: (_index: unknown, _tokenizer: unknown, { requested }: { requested: A }) =>
          requested,
        search: (...args: unknown[]) => new Hits(answer(args[searchArguments.indexOf('filter')] as A)),
      },
      documentsStore: {
        create: () => ({}),
        store: (_store: unknown, _id: string, _internal: number, { doc }: { doc: SearchDocument }) => {
          (maker ?? never()).add(doc);
          return true;
        },
        get: (_store: unknown, id: number) => ({ document: id - 1 }),
        getMultiple: never,
        getAll: never,
        remove: never,
        count: () => maker?.size ?? opened().size,
        save: () => null,
        load: () => ({}),
      },
    },
  };
}

/** An Orama database that accepts documents and gives their sections; its ids are the first section. */
export function openWriter(sink: StoredFieldsWriter) {
  const { given } = components(new SegmentWriter(sink), never);
  const db = create({ schema, sort: { enabled: false }, components: given as never }) as AnyOrama;
  return {
    add(docs: readonly SearchDocument[]): void {
      insertMultiple(
        db,
        docs.map((doc) => ({ ...doc, organization: doc.organization ?? '', doc })),
        docs.length,
      );
    },
    finish(): { ids: string[]; sections: Sections } {
      const raw = save(db);
      const { internalIdToId } = raw.internalDocumentIDStore as { internalIdToId: string[] };
      return { ids: internalIdToId, sections: raw.index as Sections };
    },
  };
}

/** An Orama database over saved sections; `find` gives a page and the number of all hits. */
export function openSaved<A>(ids: string[], saved: Saved, answer: Answer<A>) {
  const { given, segment } = components(null, answer);
  const db = create({ schema, sort: { enabled: false }, components: given as never }) as AnyOrama;
  load(db, {
    internalDocumentIDStore: { internalIdToId: ids },
    index: saved,
    docs: null,
    sorting: { enabled: false },
  } as RawData);
  return {
    segment: segment(),
    /** The document of a project, undefined when missing. Never creates an id, unlike Orama's own lookup. */
    documentOf: (id: string): number | undefined => {
      const internal = db.internalDocumentIDStore.idToInternalId.get(id);
      return internal === undefined ? undefined : internal - 1;
    },
    find(term: string, requested: A, count: number): Page {
      const found = search(db, {
        term,
        properties: '*',
        where: { requested } as never,
        offset: 0,
        limit: Math.min(count, ids.length),
      }) as unknown as { count: number; hits: Array<{ score: number; document: { document: number } }> };
      const hits = found.hits.map(({ score, document: { document } }) => ({ document, key: score }));
      return { total: found.count, hits };
    },
  };
}
