import { describe, expect, it } from 'vitest';
import { categories, projectTypes } from '../../../catalogue/tags/rules.ts';
import { planned } from '../../../demo/plan.ts';
import { synonymRows } from './data/synonyms.ts';
import { isTag, phrasesOf, type Synonym, synonymsOf, targetsOf } from './synonyms.ts';
import { queryTokens, tokens } from './tokenize.ts';

const categoryNames = new Set(categories.map(({ name }) => name));
const typeNames = new Set<string>(projectTypes);
const demoWords = new Set(
  planned().flatMap(({ title, description }) => [...tokens(title), ...tokens(description)]),
);

const exists = (target: Synonym): boolean => {
  if (!isTag(target)) return demoWords.has(target.word);
  return (target.key === 'categories' ? categoryNames : typeNames).has(target.value);
};
/** The name of a target as somebody would type it. */
const named = (target: Synonym): string => tokens(isTag(target) ? target.value : target.word).join(' ');

/** What is wrong with a table: targets that nothing has, chains and cycles, phrases without effect. */
function problemsOf(rows: typeof synonymRows): string[] {
  const owners = new Map<string, Set<string>>();
  for (const [targets] of rows)
    for (const target of targetsOf(targets))
      owners.set(named(target), (owners.get(named(target)) ?? new Set()).add(targets));
  for (const name of categoryNames)
    owners.set(tokens(name).join(' '), owners.get(tokens(name).join(' ')) ?? new Set());
  return rows.flatMap(([targets, words]) => {
    const phrases = phrasesOf(words);
    const known = targetsOf(targets);
    return [
      ...(known.some(exists) && known.filter(isTag).every(exists) ? [] : [`${targets} points to nothing`]),
      ...phrases.filter((phrase) => phrase === '').map(() => `${targets} has a phrase without words`),
      ...phrases
        .filter((phrase, i) => phrases.indexOf(phrase) !== i)
        .map((phrase) => `${phrase} stands twice`),
      ...phrases
        .filter((phrase) => owners.has(phrase) && !owners.get(phrase)?.has(targets))
        .map((phrase) => `${phrase} is a target itself`),
    ];
  });
}

describe('the table of synonyms', () => {
  it('points to tags and words that exist, without chains and cycles', () => {
    expect(problemsOf(synonymRows)).toEqual([]);
    expect(synonymRows.length).toBeGreaterThanOrEqual(40);
    expect(synonymRows.length).toBeLessThanOrEqual(80);
  });

  it.each<[string, typeof synonymRows, string]>([
    [
      'a category that does not exist',
      [['category:sorcery', { en: 'spell' }]],
      'category:sorcery points to nothing',
    ],
    ['a type that does not exist', [['type:skin', { en: 'skins' }]], 'type:skin points to nothing'],
    [
      'a word that no project has',
      [['word:qwertyuiop', { en: 'keys' }]],
      'word:qwertyuiop points to nothing',
    ],
    [
      'a chain',
      [
        ['word:map', { en: 'atlas' }],
        ['category:utility', { en: 'map' }],
      ],
      'map is a target itself',
    ],
    [
      'a cycle',
      [
        ['word:map', { en: 'light' }],
        ['word:light', { en: 'map' }],
      ],
      'light is a target itself',
    ],
    ['another category as a phrase', [['category:magic', { en: 'food' }]], 'food is a target itself'],
    [
      'a phrase without words',
      [['category:magic', { en: 'spell, !' }]],
      'category:magic has a phrase without words',
    ],
    ['a phrase twice', [['category:magic', { en: 'zauber', de: 'Zauber' }]], 'zauber stands twice'],
  ])('would be refused with %s', (_what, rows, problem) => {
    expect(problemsOf(rows)).toContain(problem);
  });

  it('keeps at least one word of every phrase', () => {
    for (const [, words] of synonymRows)
      for (const phrase of phrasesOf(words)) expect(queryTokens(phrase)).not.toEqual([]);
  });
});

describe('the synonyms of a query', () => {
  const shown = (text: string) =>
    synonymsOf(queryTokens(text)).map((found) =>
      found.map((one) => (isTag(one) ? `${one.key}=${one.value}` : one.word)),
    );

  it.each<[string, string[][]]>([
    ['fps', [['categories=optimization']]],
    ['FPS lantern', [['categories=optimization'], []]],
    ['Shaders', [['all_project_types=shader']]],
    [
      'medieval texture pack',
      [['categories=themed'], ['all_project_types=resourcepack'], ['all_project_types=resourcepack']],
    ],
    ['quality of life', [['categories=utility'], ['categories=utility']]],
    ['recipes', [['recipe']]],
    ['möbel', [['categories=decoration']]],
    ['خريطة', [['map', 'maps', 'waypoint', 'waypoints']]],
    ['lantern root', [[], []]],
    ['', []],
  ])('of %j are %j', (text, synonyms) => {
    expect(shown(text)).toEqual(synonyms);
  });
});
