import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../engine.ts';
import { arbitraryDoc } from '../testing/contract/arbitrary.ts';
import { coalesce } from './coalesce.ts';

const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), 1) as [SearchDocument];
const nothing = { puts: [], removes: [], touches: [] };

describe('several changes of one project', () => {
  it('keep the last put or remove', () => {
    const later = { ...doc, title: 'Later' };
    expect(coalesce([{ put: doc }, { remove: doc.project_id }, { put: later }])).toEqual({
      ...nothing,
      puts: [later],
    });
    expect(coalesce([{ put: doc }, { remove: doc.project_id }])).toEqual({
      ...nothing,
      removes: [doc.project_id],
    });
  });

  it('merge later counters into a document, and drop earlier ones', () => {
    const id = doc.project_id;
    expect(
      coalesce([{ touch: id, downloads: 1, follows: 2 }, { put: doc }, { touch: id, downloads: 9 }]),
    ).toEqual({ ...nothing, puts: [{ ...doc, downloads: 9 }] });
  });

  it('merge counters of an unchanged project and drop those of a removed one', () => {
    expect(
      coalesce([
        { touch: 'A', downloads: 1 },
        { touch: 'A', follows: 2 },
        { remove: 'B' },
        { touch: 'B', follows: 3 },
      ]),
    ).toEqual({ ...nothing, removes: ['B'], touches: [{ touch: 'A', downloads: 1, follows: 2 }] });
  });
});
