import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../platform/errors.ts';
import { propertyRuns } from '../../../testing/soak.ts';
import type { FilterTree } from '../engine.ts';
import { arbitraryTree } from '../testing/contract/arbitrary.ts';
import { parseFilter } from './query-language.ts';

const v2 = (facets: unknown) => parseFilter({ facets: JSON.stringify(facets) }, 2);
const v3 = (facets: unknown) => parseFilter({ facets: JSON.stringify(facets) }, 3);
const filters = (text: string) => parseFilter({ filters: text }, 2);
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refused && error.code === 'invalid_input') return error.message;
    throw error;
  }
  return 'not refused';
};
const eq = (key: string, value: string | number | boolean): FilterTree => ({ key, op: '=', value });

describe('facets', () => {
  it('are an AND of ORs', () => {
    expect(v2([['categories:fabric', 'categories:quilt'], ['versions:1.20.1']])).toEqual({
      and: [{ or: [eq('categories', 'fabric'), eq('categories', 'quilt')] }, eq('game_versions', '1.20.1')],
    });
  });

  it.each([
    ['versions', 'game_versions'],
    ['project_type', 'project_types'],
    ['title', 'name'],
  ])('map %s to %s in v2 with every operator, in v3 not at all', (old, key) => {
    for (const [written, op] of [
      [':', '='],
      ['=', '='],
      ['!=', '!='],
      ['>=', '>='],
      ['>', '>'],
      ['<=', '<='],
      ['<', '<'],
    ] as const) {
      expect(v2([[`${old}${written}mod`]])).toEqual({ key, op, value: 'mod' });
      expect(v3([[`${old}${written}mod`]])).toEqual({ key: old, op, value: 'mod' });
    }
  });

  it.each<[string, FilterTree]>([
    ['  categories : fabric  ', eq('categories', 'fabric')],
    ['categories = fabric', eq('categories', 'fabric')],
    ['title:My Project', eq('name', 'My Project')],
    ["title:'My Project'", eq('name', 'My Project')],
    ['title:"It\'s (new), [1]"', eq('name', "It's (new), [1]")],
    ['title:`say \\`hi\\` \\\\`', eq('name', 'say `hi` \\')],
    ["title:'a=b'", eq('name', 'a=b')],
    ['title:a AND b', eq('name', 'a AND b')],
    ['title:one:two', eq('name', 'one:two')],
    ['versions:1.20', eq('game_versions', '1.20')],
    ['versions:true', eq('game_versions', 'true')],
    ['open_source:true', eq('open_source', true)],
    ["open_source:'true'", eq('open_source', 'true')],
    ['downloads:5', eq('downloads', 5)],
    ['downloads:-1.5', eq('downloads', -1.5)],
    ["downloads:'5'", eq('downloads', '5')],
    ['downloads>=100', { key: 'downloads', op: '>=', value: 100 }],
    ['nobody_knows_me:5', eq('nobody_knows_me', '5')],
    ['categories IN [a, b]', { or: [eq('categories', 'a'), eq('categories', 'b')] }],
    [
      'downloads>5 AND categories:fabric',
      { and: [{ key: 'downloads', op: '>', value: 5 }, eq('categories', 'fabric')] },
    ],
  ])('parse %s', (text, tree) => {
    expect(v2([[text]])).toEqual(tree);
  });

  it('allow AND groups in v3 only', () => {
    const nested = [['categories:a', ['categories:b', 'categories:c']]];
    expect(v3(nested)).toEqual({
      or: [eq('categories', 'a'), { and: [eq('categories', 'b'), eq('categories', 'c')] }],
    });
    expect(refusal(() => v2(nested))).toContain('third level');
    expect(refusal(() => v3([[['a:b', ['c:d']]]]))).toContain('too deep');
  });

  it('match everything when their groups are empty', () => {
    for (const empty of ['', '[]', '[[]]', '[[],[]]']) expect(parseFilter({ facets: empty }, 2)).toBeNull();
    expect(v3([[[]]])).toBeNull();
  });

  it.each(['versions:', 'versions: ', ' versions :\t', 'versions:\u00a0', 'unknown:', 'downloads:'])(
    'leave out %j, a key without a value, as launchers send it',
    (empty) => {
      const mod = eq('project_types', 'mod');
      for (const parse of [v2, v3])
        expect(parse([['categories:fabric'], [empty], ['project_types:mod']])).toEqual({
          and: [eq('categories', 'fabric'), mod],
        });
      expect(v2([[empty]])).toBeNull();
      expect(v2([['project_type:mod', empty]])).toEqual(mod);
      expect(v3([[['project_types:mod', empty]], [[empty]]])).toEqual({ and: [mod] });
    },
  );

  it.each([
    ['not JSON', '[["categories:fabric"]'],
    ['an object', '{"categories":"fabric"}'],
    ['a text', '"categories:fabric"'],
    ['one level', '["categories:fabric"]'],
    ['numbers', '[[1]]'],
    ['null', '[[null]]'],
    ['no operator', '[["categories"]]'],
    ['no key', '[[":fabric"]]'],
    ['no value of an expression', '[["categories="]]'],
    ['a value missing', '[["downloads>"]]'],
    ['an open quote', '[["title:\'My Project"]]'],
    ['text after the quote', '[["title:\'My\' Project"]]'],
    ['a value with spaces unquoted', '[["title=My Project"]]'],
    ['deep nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('are refused when they are or have %s', (_what, facets) => {
    for (const api of [2, 3] as const)
      expect(refusal(() => parseFilter({ facets }, api))).toMatch(/^facets: /);
  });
});

describe('expressions', () => {
  it.each<[string, FilterTree]>([
    ['a:1 OR b:2 AND c:3', { or: [eq('a', '1'), { and: [eq('b', '2'), eq('c', '3')] }] }],
    ['(a:1 or b:2) and not c:3', { and: [{ or: [eq('a', '1'), eq('b', '2')] }, { not: eq('c', '3') }] }],
    ['NOT NOT a=1', { not: { not: eq('a', '1') } }],
    ['NOT(a="1")', { not: eq('a', '1') }],
    ['versions in [1.20, "1.21"]', { or: [eq('game_versions', '1.20'), eq('game_versions', '1.21')] }],
    [
      'a NOT IN [x,y]',
      {
        and: [
          { key: 'a', op: '!=', value: 'x' },
          { key: 'a', op: '!=', value: 'y' },
        ],
      },
    ],
    ['a IN []', { or: [] }],
    ['a NOT IN []', { and: [] }],
    ['ordinary:1 AND note:2', { and: [eq('ordinary', '1'), eq('note', '2')] }],
    ['a!=b', { key: 'a', op: '!=', value: 'b' }],
    ['a=b!c', eq('a', 'b!c')],
  ])('%s', (text, tree) => {
    expect(filters(text)).toEqual(tree);
  });

  it.each(['categories EXISTS', 'categories NOT EXISTS', 'EXISTS categories', 'NOT EXISTS categories'])(
    'refuse %s',
    (text) => {
      expect(refusal(() => filters(text))).toContain('EXISTS');
    },
  );

  it.each([
    '(a:1',
    'a:1)',
    'a:1 AND',
    'OR a:1',
    'a:1 b:2',
    'a IN x',
    'a IN [x',
    'a IN [x,]',
    'a NOT x',
    'AND',
    '()',
    'a==b',
  ])('refuse %s', (text) => {
    expect(refusal(() => filters(text))).toMatch(/^filters: /);
  });

  it('are ANDed with each other and the facets; new_filters replaces the older two', () => {
    const texts = { facets: '[["a:0"]]', filters: 'a:1', version: 'a:2' };
    expect(parseFilter(texts, 2)).toEqual({ and: [eq('a', '0'), eq('a', '1'), eq('a', '2')] });
    expect(parseFilter({ ...texts, new_filters: 'a:3' }, 2)).toEqual({ and: [eq('a', '0'), eq('a', '3')] });
  });

  it('parse back to the tree they were written from', () => {
    const print = (tree: FilterTree): string => {
      if ('and' in tree) return `(${tree.and.map(print).join(' AND ')})`;
      if ('or' in tree) return `(${tree.or.map(print).join(' or ')})`;
      if ('not' in tree) return `not ${print(tree.not)}`;
      const quoted = `'${String(tree.value).replace(/[\\']/g, '\\$&')}'`;
      return `${tree.key} ${tree.op} ${typeof tree.value === 'string' ? quoted : tree.value}`;
    };
    /** Groups of one disappear in parsing, empty ones cannot be written. */
    const plain = (tree: FilterTree): FilterTree | null => {
      if ('key' in tree) return tree;
      if ('not' in tree) {
        const inner = plain(tree.not);
        return inner && { not: inner };
      }
      const parts = ('and' in tree ? tree.and : tree.or).map(plain).filter((part) => part !== null);
      if (parts.length < 2) return parts[0] ?? null;
      return 'and' in tree ? { and: parts } : { or: parts };
    };
    const numbersToText = (tree: FilterTree): FilterTree => {
      if ('key' in tree)
        return typeof tree.value === 'number' && tree.key !== 'downloads'
          ? { ...tree, key: 'downloads' }
          : tree;
      if ('not' in tree) return { not: numbersToText(tree.not) };
      return 'and' in tree ? { and: tree.and.map(numbersToText) } : { or: tree.or.map(numbersToText) };
    };
    fc.assert(
      fc.property(arbitraryTree, (any) => {
        const tree = plain(numbersToText(any));
        if (tree) expect(parseFilter({ new_filters: print(tree) }, 3)).toEqual(tree);
      }),
    );
  });
});

describe('limits', () => {
  const some = (n: number, one: (i: number) => string) => Array.from({ length: n }, (_, i) => one(i));

  it('allow 1,024 conditions, with each value of an IN list counted', () => {
    const list = (n: number) => `project_id IN [${some(n, (i) => `p${i}`).join(',')}]`;
    expect(filters(list(1_024))).toHaveProperty('or.length', 1_024);
    expect(refusal(() => filters(list(1_025)))).toContain('more than 1024');
    expect(refusal(() => parseFilter({ facets: '[["a:b"]]', filters: list(1_024) }, 2))).toContain(
      'more than 1024',
    );
    expect(refusal(() => v2([some(1_025, (i) => `author:a${i}`)]))).toContain('more than 1024');
  });

  it('allow 64 levels of brackets and negations', () => {
    const nested = (n: number) => `${'('.repeat(n)}a:b${')'.repeat(n)}`;
    expect(filters(nested(64))).toEqual(eq('a', 'b'));
    expect(refusal(() => filters(nested(65)))).toContain('deeper than 64');
    expect(refusal(() => filters(`${'NOT '.repeat(65)}a:b`))).toContain('deeper than 64');
    expect(refusal(() => filters('('.repeat(60_000)))).toContain('deeper than 64');
  });

  it('allow a cost of 2,048: project conditions 1, row conditions 3, ranges 40, equal ones once', () => {
    const ranges = (n: number) => [some(n, (i) => `downloads>${i}`)];
    expect(() => v2(ranges(51))).not.toThrow();
    expect(refusal(() => v2(ranges(52)))).toContain('too costly');
    const rows = (n: number) => [some(n, (i) => `versions:${i}`)];
    expect(() => v2(rows(682))).not.toThrow();
    expect(refusal(() => v2(rows(683)))).toContain('too costly');
    expect(() => v2([some(1_000, () => 'downloads>1')])).not.toThrow();
  });

  it('allow 64 KiB of text, in bytes', () => {
    expect(() => filters(`name:'${'a'.repeat(65_000)}'`)).not.toThrow();
    expect(refusal(() => filters(`name:'${'a'.repeat(65_536)}'`))).toContain('longer than');
    expect(refusal(() => filters(`name:'${'ä'.repeat(33_000)}'`))).toContain('longer than');
    expect(refusal(() => v2([[`name:${'a'.repeat(65_536)}`]]))).toContain('longer than');
  });

  it('give a tree or a refusal for any text, with bounded work', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            'a',
            'NOT',
            'IN',
            'AND',
            '(',
            ')',
            '[',
            ']',
            ',',
            ':',
            '!=',
            "'",
            '\\',
            ' ',
            '=',
            '1',
          ),
        )
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom<2 | 3>(2, 3), (written, api) => {
        for (const texts of [
          { filters: written },
          { facets: written },
          { facets: JSON.stringify([[written]]) },
        ])
          try {
            parseFilter(texts, api);
          } catch (error) {
            expect(error).toBeInstanceOf(Refused);
          }
      }),
      { numRuns: propertyRuns(200) },
    );
    const started = process.threadCpuUsage();
    for (const long of ["'", '!', 'a', 'a ', '=', '\\', 'NOT', 'a:'])
      refusal(() => filters(long.repeat(65_000 / long.length)));
    const { user, system } = process.threadCpuUsage(started);
    // counts work, not time: a busy machine takes longer for the same
    expect((user + system) / 1000).toBeLessThan(500);
  });
});
