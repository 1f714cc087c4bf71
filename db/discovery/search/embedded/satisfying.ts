import { LRUCache } from 'lru-cache';
import type { FilterTree } from '../engine.ts';
import { folded } from '../query/filter-keys.ts';
import { isLeaf, kindOf, type Leaf, leavesOf } from '../query/filter-leaves.ts';
import { Members } from './facet-values.ts';
import { type Level, Levels } from './filter.ts';
import { countedKeys } from './row-values.ts';
import type { Segment } from './segment.ts';

/** What satisfies an option: documents, or rows if it has a condition on rows. */
export interface Satisfying {
  level: Level;
  /** null: nothing does. */
  members: Members | null;
  /** Position among the values of `RowValues`; -1 for everything else. */
  position: number;
  /** For rows: the documents with such a row. */
  anywhere(): Members;
}

/** The options of a segment that were counted last. */
export class Options {
  readonly #segment: Segment;
  readonly #kept = new LRUCache<string, Satisfying>({ max: 2_000 });
  /** Those with bit sets of their own. */
  readonly #made = new LRUCache<string, Satisfying>({ max: 32 });

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  of(tree: FilterTree): Satisfying {
    if (leavesOf(tree).some((leaf) => kindOf(leaf) === 'number')) return satisfying(this.#segment, tree);
    const name = JSON.stringify(tree);
    const kept = isLeaf(tree) && tree.op === '=' ? this.#kept : this.#made;
    const found = kept.get(name) ?? satisfying(this.#segment, tree);
    kept.set(name, found);
    return found;
  }
}

/** The documents or rows of a segment that satisfy a tree, without a copy for a condition on one value. */
function satisfying(segment: Segment, tree: FilterTree): Satisfying {
  const levels = new Levels(segment);
  const level = levels.of(tree);
  const stored = levels.stored(tree);
  const size = level === 'row' ? segment.rows.size : segment.size;
  const members = stored === undefined ? new Members(levels.all(tree, level), size, size) : stored;
  const value = stored && level === 'row' ? countedValue(segment, tree as Leaf) : null;
  let anywhere = value?.anywhere ?? null;
  return {
    level,
    members,
    position: value?.position ?? -1,
    anywhere: () => {
      anywhere ??= new Members(segment.rows.documentsWith(members as Members), segment.size, segment.size);
      return anywhere;
    },
  };
}

/** A value of `RowValues` and the documents that have it in any row. */
function countedValue(
  { ofRows, ofProjects }: Segment,
  leaf: Leaf,
): { position: number; anywhere: Members } | null {
  const value = folded(leaf.key, String(leaf.value));
  const anywhere = ofProjects.members(countedKeys.get(leaf.key) ?? '', value);
  return anywhere && { position: ofRows.position(leaf.key, value), anywhere };
}
