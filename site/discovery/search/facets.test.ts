import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFilter } from '#db/discovery/search/query/query-language.ts';
import { facetsOf } from './facets.ts';
import { parseState } from './state.ts';

const facets = (query: string, type = 'mod') => facetsOf(parseState(new URLSearchParams(query)), type);

test('categories must all match, of resolutions, loaders and versions any', () => {
  expect(
    facets(
      'f=magic&f=16x&f=32x&f=mobs&g=fabric&g=quilt&v=1.21&v=1.20&e=client&l=open_source&nf=food&ng=forge',
    ),
  ).toEqual([
    ['project_types=mod'],
    ['categories = "magic"'],
    ['categories = "mobs"'],
    ['categories = "16x"', 'categories = "32x"'],
    ['categories != "food"'],
    ['categories = "fabric"', 'categories = "quilt"'],
    ['any_loader != "forge"'],
    ['game_versions = "1.21"', 'game_versions = "1.20"'],
    ['client_side:required', 'client_side:optional'],
    ['open_source:true'],
  ]);
});

test('performance impacts of a shader match any, its features all', () => {
  expect(facets('f=low&f=medium&f=bloom&nf=high', 'shader')).toEqual([
    ['project_types=shader'],
    ['categories = "bloom"'],
    ['categories = "low"', 'categories = "medium"'],
    ['categories != "high"'],
  ]);
});

test('excluded game versions apply to the whole project, excluded sides to the matching version', () => {
  expect(facets('nv=1.20&nv=1.19&ne=server')).toEqual([
    ['project_types=mod'],
    ['any_game_version != "1.20"'],
    ['any_game_version != "1.19"'],
    ['server_side!=required'],
    ['server_side!=optional'],
  ]);
});

test('any address gives facets that the query language parses', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.array(fc.string(), { maxLength: 5 }), (query, names) => {
      const state = {
        ...parseState(new URLSearchParams(query)),
        categories: names,
        loaders: names,
        not_versions: names,
      };
      expect(() => parseFilter({ facets: JSON.stringify(facetsOf(state, 'mod')) }, 2)).not.toThrow();
    }),
  );
});
