import { expect, it } from 'vitest';
import { demoId, type PlannedProject, planned } from '../../../../demo/plan.ts';
import type { SearchDocument, SearchEngine } from '../../engine.ts';
import { documentFor, releases } from './corpus.ts';

/** A query, its kind, and the expected first titles in order. */
const examples: Array<[how: string, text: string, ...first: string[]]> = [
  ['the whole name', 'quietstep', 'Quietstep'],
  ['half a name', 'lanter', 'Lanternroot'],
  ['half a name of two words', 'kettle an', 'Kettle and Cog'],
  ['three letters, the better known first', 'way', 'Waymark', 'Wayfarers'],
  ['one letter, the best known first', 'l', 'Lanternroot'],
  ['two letters swapped', 'qiuetstep', 'Quietstep'],
  ['two letters swapped in the second word', 'long witner', 'Long Winter'],
  ['one letter missing', 'harbormastr', 'Harbormaster'],
  ['one letter too many', 'snowwline', 'Snowline'],
  ['one wrong letter', 'glacuer', 'Glacier'],
  ['half a name with a letter missing', 'milstone', 'Millstone Type'],
  ['two words joined', 'nightmarket', 'Night Market'],
  ['three words joined', 'kettleandcog', 'Kettle and Cog'],
  ['the words turned', 'winds named', 'Named Winds'],
  ['author and a word of the name', 'wren hour', 'Blue Hour'],
  ['a word of the name and the author', 'glass noor', 'Plain Glass'],
  ['author and a word of the summary', 'brindle cheese', 'High Pastures'],
  ['only the author, the best known first', 'mirelle', 'Lanternroot', 'Clearwater', 'Understone'],
  ['an author with a dot in the name', 'oskar.h rivers', 'Slowwater'],
  ['another case', 'FIELD NOTES', 'Field Notes'],
  ['accents that are not there', 'Hêárthkëep', 'Hearthkeep'],
  ['the words of a slug', 'ray-and-stone', 'Ray and Stone'],
  ['a common word, in names before summaries', 'slow', 'Slow Travel', 'Slowwater'],
  ['a common word, the better known first', 'old', 'Old Quarry', 'Old Roads'],
  ['a word that only summaries have', 'cheese', 'High Pastures'],
  ['a word too much', 'waymark unobtainium', 'Waymark'],
  ['what makes the game faster', 'performance', 'Quietstep'],
  ['the same in short', 'fps', 'Quietstep'],
  ['the same in German', 'Optimierung', 'Quietstep'],
  ['a word of a name before a synonym', 'lag', 'Ropewalk', 'Quietstep'],
  ['maps by another word', 'minimap', 'Waymark', 'Wayfarers', 'Sketchmap'],
  ['maps in another script', 'خريطة', 'Waymark', 'Wayfarers', 'Sketchmap'],
  ['a type', 'shader', 'Overcast', 'Clearwater', 'Alpenglow'],
  ['a type in a sentence', 'shaders for minecraft', 'Overcast', 'Clearwater', 'Alpenglow'],
  ['a type and a word', 'water shader', 'Plain Glass', 'Sea Fret'],
  ['a type by a phrase', 'texture pack', 'Chalk', 'Hush'],
  ['a word behind a stop word', 'the birds', 'Lanternroot', 'Nightjar', 'Hush', 'Kestrel Kit'],
  ['the same without', 'birds', 'Lanternroot', 'Nightjar', 'Hush', 'Kestrel Kit'],
  ['a name behind a stop word', 'the quietstep', 'Quietstep'],
];

/** Each example as a test: `ask` gives an engine with `demoDocuments()`. */
export function findsAsExpected(request: () => Pick<SearchEngine, 'search'>): void {
  const titles = new Map(planned().map(({ id, title }) => [id, title]));
  it.each(examples)('finds %s: %s', async (_how, text, ...first) => {
    const query = { text, filter: null, sort: 'relevance', offset: 0, limit: first.length } as const;
    const { ids } = await request().search(query);
    expect(ids.map((id) => titles.get(id))).toEqual(first);
  });
}

/** The documents of the demo catalogue by id. */
export function demoDocuments(): SearchDocument[] {
  const known = releases();
  const docs = planned().map((project) => documentFor(generatedFrom(project), known, new Date(0)));
  return docs.sort((a, b) => (a.project_id < b.project_id ? -1 : 1));
}

function generatedFrom({ owner, categories, loaders, type, versions, ...project }: PlannedProject) {
  const pack = type === 'modpack';
  return {
    ...project,
    author: { id: demoId(`user ${owner}`), username: owner },
    categories: categories.slice(0, 3),
    additional_categories: categories.slice(3),
    days_ago: versions[0]?.days_ago ?? 0,
    versions: versions.map((version) => ({
      ...version,
      loaders: pack ? ['mrpack'] : loaders,
      mrpack_loaders: pack ? loaders : [],
      environment: project.environment,
    })),
  };
}
