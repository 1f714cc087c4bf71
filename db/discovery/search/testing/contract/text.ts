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

    it('says which words nothing has, when it finds something without them', async () => {
      await engine().rebuild(Readable.from(docs));
      const missing = async (text: string) => {
        const query = { text, filter: null, sort: 'relevance', offset: 0, limit: 10 } as const;
        return (await engine().search(query)).left_out;
      };
      expect(await missing('slow lamps unheard')).toEqual(['unheard']);
      for (const text of [
        'slow lamps',
        'slowlamps',
        'slwo lamps',
        'lan tern',
        'qwertyuiop',
        'qwertyuiop unheard',
        '',
      ])
        expect(await missing(text), text).toBeUndefined();
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

    describe('by synonyms', () => {
      const known = [
        { title: 'FPS Meter', downloads: 1 },
        { title: 'Glide', categories: ['optimization'], downloads: 9_000_000 },
        { title: 'Quiet', description: 'Keeps your fps high', downloads: 2 },
        { title: 'Dusk', all_project_types: ['shader'], downloads: 3 },
        { title: 'World Map', all_project_types: ['mod'], downloads: 4 },
        { title: 'Clay', description: 'A map for you', all_project_types: ['resourcepack'], downloads: 5 },
        { title: 'The And', downloads: 6 },
      ];
      const found = async (text: string, sort: Sort = 'relevance') => {
        const plain = { description: 'Glows', categories: [], all_project_types: [] };
        const named = known.map((one, n) => ({
          ...(docs[0] as SearchDocument),
          ...plain,
          ...one,
          project_id: `AAAAAAA${n}`,
        }));
        await engine().rebuild(Readable.from(named));
        const { ids } = await engine().search({ text, filter: null, sort, offset: 0, limit: 10 });
        return ids.map((id) => known[Number(id.slice(-1))]?.title);
      };

      it.each<[string, string, string[]]>([
        ['a category after everything with the word', 'fps', ['FPS Meter', 'Quiet', 'Glide']],
        ['a category together with another word', 'fps glide', ['Glide']],
        ['a type', 'shaders', ['Dusk']],
        ['a type by a phrase', 'Texture Pack', ['Clay']],
        ['a word in titles before the same in summaries', 'minimap', ['World Map', 'Clay']],
        ['a category in another language', 'Leistung', ['Glide']],
        ['a type in another script', 'مظللات', ['Dusk']],
        ['the same with stop words', 'the shaders of minecraft', ['Dusk']],
        ['a title that consists of stop words', 'the and', ['The And']],
        ['what a title has besides stop words', 'the glide for minecraft', ['Glide']],
      ])('finds %s', async (_what, text, titles) => {
        expect(await found(text)).toEqual(titles);
      });

      it('keeps the matches when sorted by a column', async () => {
        expect(await found('fps', 'downloads')).toEqual(['Glide', 'Quiet', 'FPS Meter']);
      });
    });

    it.each<[string, string]>([
      ['one letter', 'l'],
      ['one letter of another script', '地'],
      ['a stop word alone', 'the'],
      ['stop words alone', 'the of and'],
      ['stop words of three languages', 'the und في'],
      ['an emoji', '🔥'],
      ['half a surrogate pair', 'lantern \ud83d'],
      ['words of many scripts', 'lantern світло 光 נר φως مصباح 등불 โคม'],
      ['2,000 letters', 'x'.repeat(2_000)],
      ['2,000 characters of words', 'fps lantern the '.repeat(125)],
      ['2,000 characters of an unspaced script', '地図'.repeat(1_000)],
      ['words of objects', 'constructor __proto__ toString'],
    ])('answers %s', async (_what, text) => {
      await request('lantern');
      const query = { text, filter: null, sort: 'relevance', offset: 0, limit: 10 } as const;
      const { ids, total, partial } = await engine().search(query);
      expect({ total, partial }).toEqual({ total: ids.length, partial: false });
      const any: FilterTree = { key: 'downloads', op: '>=', value: 0 };
      const { counts } = await engine().count({ text, groups: [{ filter: null, options: [any] }] });
      expect(counts).toEqual([[total]]);
    });

    it('applies the filter', async () => {
      const openSource: FilterTree = { key: 'open_source', op: '=', value: true };
      expect(new Set(await request('lanterns', 'relevance', openSource))).toEqual(
        new Set(['Fast Lanterns', 'Lantern']),
      );
    });
  });
}
