import { describe, expect, it } from 'vitest';
import { coalesce } from '../documents/coalesce.ts';
import { hitV2, hitV3 } from '../documents/hits.ts';
import type { DocumentChange, SearchDocument, SearchIndex } from '../engine.ts';
import { countContract } from '../testing/contract/counts.ts';
import { textContract } from '../testing/contract/text.ts';
import { searchContract } from '../testing/contract.ts';
import { corpus } from '../testing/evaluation/corpus.ts';
import { makeSections, type Saved } from './layer.ts';
import { LayeredIndex } from './layered-index.ts';
import { RecentLayer } from './recent-layer.ts';
import { memoryStoredFields } from './stored-fields.ts';

/** Documents as saved by a builder. */
async function saved(docs: Iterable<SearchDocument> | AsyncIterable<SearchDocument>): Promise<Saved> {
  const bodies = memoryStoredFields();
  return { sections: await makeSections(docs, bodies), bodies };
}

/** Changes (null: removed) since the base was built, as known to the index sync. */
type Since = Map<string, SearchDocument | null>;

/** The index without its processes, for the contract; `change` decides which layer gets the changes. */
function inProcess(
  change: (parts: LayeredIndex, changes: DocumentChange[], since: Since) => Promise<void>,
): SearchIndex {
  const parts = new LayeredIndex();
  const since: Since = new Map();
  return {
    name: 'embedded',
    search: async (query) => parts.search(query),
    count: async (query) => parts.count(query),
    hits: async ({ ids, versionIds }, api, settings) =>
      parts.fields(ids).flatMap((stored, i) => {
        const hit = api === 2 ? hitV2 : hitV3;
        return stored ? [hit(stored, versionIds[i] ?? null, settings)] : [];
      }),
    apply: (changes) => change(parts, changes, since),
    rebuild: async (docs) => {
      since.clear();
      parts.adopt({ base: await saved(docs), warm: null, dead: [], changes: [] });
    },
    current: async () => true,
    status: () => ({ engine: 'embedded', ready: true, ...parts.status() }),
  };
}

describe('base and hot layer', () => {
  const engine = inProcess(async (parts, changes) => parts.apply(changes));
  searchContract(() => engine, { runs: 60 });
  textContract(() => engine);
  countContract(() => engine, { runs: 60 });
});

describe('base and many hot layers', () => {
  const engine = inProcess(async (parts, changes) => {
    for (const change of changes) parts.apply([change]);
  });
  searchContract(() => engine, { runs: 30 });
  countContract(() => engine);
});

describe('the hot layer', () => {
  it('merges batches into few layers', () => {
    const hot = new RecentLayer((part) => part);
    const docs = corpus({ seed: 5, projects: 150 });
    for (const doc of docs) {
      hot.add(new Map([[doc.project_id, doc]]));
      expect(hot.layers.length).toBeLessThanOrEqual(16);
    }
    expect(hot.size).toBe(150);
    expect(hot.layers.flatMap(({ segment }) => segment.ids).sort()).toEqual(
      docs.map(({ project_id }) => project_id),
    );
    for (const { project_id } of docs) hot.remove(project_id);
    expect(hot.layers).toEqual([]);
  });
});

describe('base, warm and hot layer', () => {
  const engine = inProcess(async (parts, changes, known) => {
    const { puts, removes, touches } = coalesce(changes);
    for (const doc of puts) known.set(doc.project_id, doc);
    for (const id of removes) known.set(id, null);
    const docs = [...known.values()].filter((doc) => doc !== null);
    // all but the last become the warm layer, the last and the counters the hot layer
    const [last, ...rest] = docs.reverse();
    parts.adopt({
      base: 'keep',
      warm: await saved(rest),
      dead: [...known.keys()],
      changes: [...(last ? [{ put: last }] : []), ...touches],
    });
    for (const { touch, downloads, follows } of touches) {
      const doc = known.get(touch);
      if (doc)
        known.set(touch, { ...doc, downloads: downloads ?? doc.downloads, follows: follows ?? doc.follows });
    }
  });
  searchContract(() => engine, { runs: 60 });
  countContract(() => engine);
});
