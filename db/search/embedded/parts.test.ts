import { searchContract } from '../contract.ts';
import type { Change, SearchIndex } from '../engine.ts';
import { hitV2, hitV3 } from '../hits.ts';
import { memoryBodies } from './bodies.ts';
import { makeSections } from './part.ts';
import { Parts } from './parts.ts';

/** The index without its processes, as the contract wants it: changes go to the hot part however many they are. */
function inProcess(): SearchIndex {
  const parts = new Parts();
  return {
    name: 'embedded',
    search: async (query) => parts.search(query),
    hits: async ({ ids, versionIds }, api) =>
      parts.shown(ids).flatMap((kept, i) => {
        const hit = api === 2 ? hitV2 : hitV3;
        return kept ? [hit(kept, versionIds[i] ?? null)] : [];
      }),
    apply: async (changes: Change[]) => parts.apply(changes),
    rebuild: async (docs) => {
      const bodies = memoryBodies();
      const sections = await makeSections(docs, bodies);
      parts.adopt({ base: { sections, bodies }, warm: null, dead: [], changes: [] });
    },
    current: async () => true,
    status: () => ({ engine: 'embedded', ready: true, ...parts.status() }),
  };
}

const engine = inProcess();
searchContract(() => engine, { runs: 200 });
