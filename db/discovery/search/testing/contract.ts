import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../platform/runtime/env.ts';
import { propertyRuns } from '../../../testing/soak.ts';
import type { Query, SearchDocument, SearchIndex } from '../engine.ts';
import {
  arbitraryChanges,
  arbitraryDocs,
  arbitraryOnly,
  arbitrarySort,
  arbitraryTree,
} from './contract/arbitrary.ts';
import { changed } from './contract/changed.ts';
import { naiveSearch } from './contract/naive.ts';

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const everything: Query = { text: '', filter: null, sort: 'downloads', offset: 0, limit: 100 };

/**
 * Contract of every search engine, compared with the naive implementation: `runs` catalogues, several queries each.
 * Call it in the engine's own test file; `engine` gives a ready engine whose contents are replaced.
 */
export function searchContract(engine: () => SearchIndex, { runs = 30 }: { runs?: number } = {}): void {
  const answer = async (query: Query) => {
    const { ids, versionIds, total } = await engine().search(query);
    return { ids, versionIds, total };
  };

  describe('the search contract', () => {
    it('gives the same results as the naive implementation for every filter, sort and page', async () => {
      const question = fc.record({
        filter: fc.option(arbitraryTree, { freq: 8 }),
        sort: arbitrarySort,
        offset: fc.integer({ min: 0, max: 5 }),
        limit: fc.integer({ min: 1, max: 12 }),
        only: arbitraryOnly,
      });
      await fc.assert(
        fc.asyncProperty(
          arbitraryDocs,
          fc.array(question, { minLength: 8, maxLength: 16 }),
          async (docs, questions) => {
            await engine().rebuild(each(docs));
            for (const asked of questions) {
              const query: Query = { text: '', ...asked };
              expect(await answer(query)).toEqual(naiveSearch(docs, query));
            }
          },
        ),
        { numRuns: propertyRuns(runs) },
      );
    });

    it('has the same contents after any changes as after a rebuild', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryDocs, arbitraryChanges, arbitraryTree, async (docs, changes, filter) => {
          await engine().rebuild(each(docs));
          const half = Math.floor(changes.length / 2);
          await engine().apply(changes.slice(0, half));
          await engine().apply(changes.slice(half));
          const now = changed(docs, changes);
          for (const query of [everything, { ...everything, sort: 'follows' as const, filter }])
            expect(await answer(query)).toEqual(naiveSearch(now, query));
          const hits = await engine().hits(await engine().search(everything), 2, parseSettings({}));
          expect(
            hits.map(({ project_id, downloads, follows }) => ({ project_id, downloads, follows })),
          ).toEqual(
            naiveSearch(now, everything).ids.map((id) => {
              const { project_id, downloads, follows } = now.find(
                (doc) => doc.project_id === id,
              ) as SearchDocument;
              return { project_id, downloads, follows };
            }),
          );
        }),
        { numRuns: propertyRuns(runs) },
      );
    });

    it('applies changes idempotently', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryDocs, arbitraryChanges, async (docs, changes) => {
          await engine().rebuild(each(docs));
          await engine().apply(changes);
          await engine().apply(changes);
          expect(await answer(everything)).toEqual(naiveSearch(changed(docs, changes), everything));
        }),
        { numRuns: propertyRuns(Math.ceil(runs / 3)) },
      );
    });

    it('gives an empty page and the correct total past the end', async () => {
      const [docs] = fc.sample(
        arbitraryDocs.filter(({ length }) => length > 2),
        { numRuns: 1, seed: 7 },
      );
      await engine().rebuild(each(docs as SearchDocument[]));
      for (const offset of [docs?.length ?? 0, 9_999, 1_000_000])
        expect(await answer({ ...everything, offset })).toEqual({
          ids: [],
          versionIds: [],
          total: docs?.length,
        });
    });

    it('increments its generation when something changed', async () => {
      await engine().rebuild(each([]));
      const before = (await engine().search(everything)).generation;
      await engine().apply([{ remove: 'AAAAAAAA' }]);
      expect((await engine().search(everything)).generation).toBeGreaterThan(before);
    });
  });
}
