import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilterTree, SearchDocument, SearchIndex } from '../../engine.ts';
import type { Sort } from '../../sorts.ts';
import { arbitraryDoc } from './arbitrary.ts';

const titles = [
  'Fast Lanterns',
  'FastLanterns Extra',
  'Lantern',
  'Slow Lamps',
  '地図ランタン',
  "Baker's Dozen",
];

/**
 * Contract of text search for every engine, with six documents. Call it in the engine's own test file, like
 * `searchContract`.
 */
export function textContract(engine: () => SearchIndex): void {
  const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), { numRuns: 1, seed: 3 }) as [SearchDocument];
  const docs = titles.map((title, n) => ({
    ...doc,
    ...{
      title,
      project_id: `AAAAAAA${n}`,
      slug: '',
      description: 'Glows',
      author: 'ada',
      organization: null,
    },
    ...{ downloads: n * 100, categories: [], open_source: n % 2 === 0 },
  }));
  const request = async (text: string, sort: Sort = 'relevance', filter: FilterTree | null = null) => {
    await engine().rebuild(
      (async function* () {
        yield* docs;
      })(),
    );
    const { ids, total } = await engine().search({ text, filter, sort, offset: 0, limit: 10 });
    expect(total).toBe(ids.length);
    return ids.map((id) => titles[Number(id.slice(-1))]);
  };

  describe('by text', () => {
    it.each<[string, string, string[]]>([
      ['the whole title first', 'fast lanterns', ['Fast Lanterns', 'FastLanterns Extra']],
      ['an unfinished word', 'lanter', ['Lantern', 'Fast Lanterns', 'FastLanterns Extra']],
      ['a mistyped word', 'slwo lamps', ['Slow Lamps']],
      ['words written together', 'slowlamps', ['Slow Lamps']],
      ['a word written apart', 'lan tern', ['Lantern', 'Fast Lanterns', 'FastLanterns Extra']],
      ['a word too many', 'slow lamps unheard', ['Slow Lamps']],
      ['an unspaced script', '地図', ['地図ランタン']],
      ['a possessive without its apostrophe', 'baker dozen', ["Baker's Dozen"]],
      ['nothing it knows', 'qwertyuiop', []],
      ['no words at all', '!?', []],
    ])('finds %s', async (_what, text, found) => {
      const got = await request(text);
      expect(got[0]).toBe(found[0]);
      expect(new Set(got)).toEqual(new Set(found));
    });

    it('ranks a name typed in another word order above a longer one that starts with it', async () => {
      const names = ['Lanterns Fast Again', 'Fast Lanterns', 'Better Lanterns Fast', 'Lanterns: Fast Fast'];
      const named = names.map((title, n) => ({ ...(docs[n] as SearchDocument), title, downloads: 100 - n }));
      await engine().rebuild(Readable.from(named));
      const first = async (text: string) => {
        const query = { text, filter: null, sort: 'relevance', offset: 0, limit: 1 } as const;
        return (await engine().search(query)).ids.map((id) => names[Number(id.slice(-1))]);
      };
      expect(await first('lanterns fast')).toEqual(['Fast Lanterns']);
      expect(await first('fast lanterns fast')).toEqual(['Lanterns: Fast Fast']);
      expect(await first('fast better lanterns')).toEqual(['Better Lanterns Fast']);
    });

    it('has the same matches when sorted by a column', async () => {
      expect(await request('fastlanterns', 'downloads')).toEqual(['FastLanterns Extra', 'Fast Lanterns']);
      expect(await request('glows', 'downloads')).toEqual([...titles].reverse());
    });

    it('ranks the more popular of equal matches first', async () => {
      const alike = new Set(['Fast Lanterns', 'Slow Lamps']);
      expect((await request('glows')).filter((title) => alike.has(title ?? ''))).toEqual([
        'Slow Lamps',
        'Fast Lanterns',
      ]);
    });

    it('applies the filter', async () => {
      const openSource: FilterTree = { key: 'open_source', op: '=', value: true };
      expect(new Set(await request('lanterns', 'relevance', openSource))).toEqual(
        new Set(['Fast Lanterns', 'Lantern']),
      );
    });
  });
}
