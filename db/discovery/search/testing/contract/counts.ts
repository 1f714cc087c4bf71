import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../testing/soak.ts';
import type { CountGroup, FilterTree, SearchDocument, SearchIndex } from '../../engine.ts';
import { limits } from '../../query/limits.ts';
import { arbitraryChanges, arbitraryDocs, arbitraryGroups } from './arbitrary.ts';
import { changed } from './changed.ts';
import { naiveCounts, withOption } from './naive.ts';

/** Texts for every relaxation: strict, partly typed, mistyped, joined, a word too many, none, no words, synonyms. */
const texts = [
  ...['lantern', 'la', 'lantren', 'steves map', 'lan tern', 'lantern qwertyuiop', 'qwertyuiop', '!?', ' '],
  ...['spells', 'mods', 'the lantern', 'spells map', 'waypoints'],
];

/** Contract of the counts of every engine. Call it in the engine's own test file, like `searchContract`. */
export function countContract(engine: () => SearchIndex, { runs = 30 }: { runs?: number } = {}): void {
  const counts = async (groups: CountGroup[], text = '') => (await engine().count({ text, groups })).counts;

  describe('counts of options', () => {
    it('are the totals of the naive implementation with each option', async () => {
      const asked = fc.array(arbitraryGroups, { minLength: 4, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(arbitraryDocs, asked, async (docs, questions) => {
          await engine().rebuild(Readable.from(docs));
          for (const groups of questions)
            expect(await counts(groups)).toEqual(naiveCounts(docs, { text: '', groups }));
        }),
        { numRuns: propertyRuns(runs) },
      );
    });

    it('follow changes', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryDocs, arbitraryChanges, arbitraryGroups, async (docs, changes, groups) => {
          await engine().rebuild(Readable.from(docs));
          expect(await counts(groups)).toEqual(naiveCounts(docs, { text: '', groups }));
          await engine().apply(changes);
          expect(await counts(groups)).toEqual(naiveCounts(changed(docs, changes), { text: '', groups }));
        }),
        { numRuns: propertyRuns(runs) },
      );
    });

    it('are the totals of searches for a text with each option, however it is relaxed', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryDocs,
          arbitraryGroups,
          fc.constantFrom(...texts),
          async (docs, groups, text) => {
            await engine().rebuild(Readable.from(docs));
            const total = async (filter: FilterTree) =>
              (await engine().search({ text, filter, sort: 'relevance', offset: 0, limit: 1 })).total;
            const searched = [];
            for (const { filter, options } of groups) {
              const row = [];
              for (const option of options) row.push(await total(withOption(filter, option)));
              searched.push(row);
            }
            expect(await counts(groups, text)).toEqual(searched);
          },
        ),
        { numRuns: propertyRuns(runs) },
      );
    });

    it('count a project when one group of its versions satisfies filter and option', async () => {
      const [doc] =
        fc.sample(
          arbitraryDocs.filter(({ length }) => length > 0),
          { numRuns: 1, seed: 7 },
        )[0] ?? [];
      const row = { environment: null, client_side: '', server_side: '', date: 0, project_types: ['mod'] };
      const rows = [
        { ...row, version_id: 'v1', loaders: ['fabric'], game_versions: ['1.20'] },
        { ...row, version_id: 'v2', loaders: ['forge'], game_versions: ['1.21'] },
      ];
      await engine().rebuild(Readable.from([{ ...(doc as SearchDocument), categories: [], rows }]));
      const options = ['1.20', '1.21'].map((value): FilterTree => ({ key: 'game_versions', op: '=', value }));
      const fabric: FilterTree = { key: 'categories', op: '=', value: 'fabric' };
      expect(
        await counts([
          { filter: fabric, options },
          { filter: null, options },
        ]),
      ).toEqual([
        [1, 0],
        [1, 1],
      ]);
    });

    it('refuse more options than a page of filters can have', async () => {
      const option: FilterTree = { key: 'license', op: '=', value: 'MIT' };
      const options = Array.from({ length: limits.options + 1 }, () => option);
      await expect(counts([{ filter: null, options }])).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await counts([])).toEqual([]);
    });
  });
}
