import { describe, expect, it } from 'vitest';
import type { CountGroup, FilterTree } from '../engine.ts';
import { corpus } from '../testing/evaluation/corpus.ts';
import { Layer, sectionsOf } from './layer.ts';
import { newBudget } from './match.ts';
import { totalsOf } from './option-counts.ts';
import { memoryStoredFields } from './stored-fields.ts';

const docs = corpus({ seed: 9, projects: 6_000 });
const bodies = memoryStoredFields();
const layer = new Layer({ sections: sectionsOf(docs, bodies), bodies });
const equals = (key: string, value: string): FilterTree => ({ key, op: '=', value });
const versions = [...new Set(docs.flatMap(({ rows }) => rows.flatMap(({ game_versions }) => game_versions)))];
const options = [
  ...versions.map((value) => equals('game_versions', value)),
  ...['fabric', 'forge', 'magic'].map((value) => equals('categories', value)),
  { or: [equals('client_side', 'required'), equals('client_side', 'optional')] },
];
const filters = [
  null,
  equals('project_types', 'mod'),
  { and: [equals('project_types', 'mod'), equals('categories', 'fabric')] },
  { and: [equals('project_types', 'mod'), equals('license', 'MIT')] },
];
const counted = (group: CountGroup, steps = 1e9): Array<number | null> => {
  layer.optionCounts.begin();
  layer.optionCounts.match(null, newBudget());
  return totalsOf([layer.optionCounts], group, { steps });
};
/** The documents with a row that satisfies all of these, row by row. */
const naive = (test: (row: (typeof docs)[number]['rows'][number], doc: (typeof docs)[number]) => boolean) =>
  docs.filter((doc) => doc.rows.some((row) => test(row, doc))).length;

describe('counts on one segment', () => {
  it('are the same for many documents, on bit sets, as row by row', () => {
    for (const [loader, filter] of [
      [null, filters[1]],
      ['fabric', filters[2]],
    ] as const) {
      const counts = counted({ filter: filter as FilterTree, options });
      const fits = ({ project_types, loaders }: (typeof docs)[number]['rows'][number]) =>
        project_types.includes('mod') && (!loader || loaders.includes(loader));
      for (const [i, version] of versions.entries())
        expect(counts[i], `${version} ${loader}`).toBe(
          naive((row) => fits(row) && row.game_versions.includes(version)),
        );
      expect(counts.at(-2)).toBe(naive((row, { categories }) => fits(row) && categories.includes('magic')));
      expect(counts.at(-1)).toBe(
        naive((row) => fits(row) && row.client_side !== 'unsupported' && row.client_side !== 'unknown'),
      );
    }
  });

  it('are the same when asked again, and without removed documents', () => {
    for (const filter of filters) {
      const before = counted({ filter, options });
      expect(counted({ filter, options })).toEqual(before);
    }
    const group = { filter: filters[1] as FilterTree, options };
    const before = counted(group) as number[];
    const gone = docs.find(({ rows }) => rows.some(({ project_types }) => project_types.includes('mod')));
    layer.kill(gone?.project_id ?? '');
    const after = counted(group) as number[];
    const had = new Set(gone?.rows.flatMap(({ game_versions }) => game_versions));
    for (const [i, version] of versions.entries())
      expect(after[i], version).toBe((before[i] as number) - Number(had.has(version)));
    layer.segment.revive();
  });

  it('are null when the work is used up', () => {
    expect(counted({ filter: filters[3] as FilterTree, options: options.slice(0, 2) }, 100)).toEqual([
      null,
      null,
    ]);
  });
});
