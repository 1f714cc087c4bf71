import type { FilterTree } from '../engine.ts';
import { folded, keys } from '../query/filter-keys.ts';
import { isLeaf, isPair, kindOf, type Leaf } from '../query/filter-leaves.ts';
import { and, type Bits, bitsFor, full, invert, or, set } from './bits.ts';
import type { Members } from './facet-values.ts';
import type { ColumnName } from './numeric-columns.ts';
import type { Segment } from './segment.ts';

/** Result of a filter on a segment: documents of one set that have a row in the other. */
export interface Matches {
  documents: Bits;
  /** The rows that satisfy all conditions on rows; null without such conditions. */
  rows: Bits | null;
}

export type Level = 'project' | 'row';

/** Members that satisfy an equality leaf: those of the level, and documents whose rows are to be added. */
export interface Holders {
  level: Level;
  direct: Members | null;
  lifted: Members | null;
}

/**
 * The documents of a segment with a single row that satisfies the whole tree: conditions on the project use bits of
 * documents, conditions on rows bits of rows. The caller combines them, because it may need that for few documents
 * only. Source: search §2.
 */
export function matching(segment: Segment, tree: FilterTree): Matches {
  const level = new Levels(segment);
  const parts = conjuncts(tree);
  const documents = level.all({ and: parts.filter((part) => level.of(part) === 'project') }, 'project');
  const ofRows = parts.filter((part) => level.of(part) === 'row');
  if (ofRows.length === 0) return { documents, rows: null };
  return { documents, rows: level.all({ and: ofRows }, 'row') };
}

/** Members for a leaf; `categories` means loaders of rows and categories of projects at once. */
export function holdersOf({ ofProjects, ofRows }: Segment, leaf: Leaf): Holders {
  const value = folded(leaf.key, String(leaf.value));
  const ofRow = keys.get(leaf.key)?.level === 'row' ? ofRows.members(leaf.key, value) : null;
  const ofProject = ofProjects.members(leaf.key, value);
  return ofRow
    ? { level: 'row', direct: ofRow, lifted: ofProject }
    : { level: 'project', direct: ofProject, lifted: null };
}

/** The conditions that must all hold. */
export const conjuncts = (tree: FilterTree): FilterTree[] =>
  'and' in tree ? tree.and.flatMap(conjuncts) : [tree];

/** Evaluates trees on one of the two levels; a document set is expanded to rows where rows are needed. */
export class Levels {
  readonly #segment: Segment;
  readonly #holders = new Map<Leaf, Holders>();

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  of(tree: FilterTree): Level {
    if (isLeaf(tree)) return isPair(tree) ? this.#holdersOf(tree).level : 'project';
    if ('not' in tree) return this.of(tree.not);
    return ('and' in tree ? tree.and : tree.or).some((part) => this.of(part) === 'row') ? 'row' : 'project';
  }

  /** The stored members of a condition on one value, null when there are none; undefined for any other tree. */
  stored(tree: FilterTree): Members | null | undefined {
    if (!isPair(tree) || tree.op !== '=') return undefined;
    const { direct, lifted } = this.#holdersOf(tree);
    return lifted ? undefined : direct;
  }

  /** All members of a level that satisfy the tree. */
  all(tree: FilterTree, level: Level): Bits {
    if (level === 'row' && this.of(tree) === 'project')
      return this.#segment.rows.ofDocuments(this.all(tree, 'project'));
    if ('and' in tree) {
      const found = full(this.#size(level));
      for (const part of tree.and) this.#restrict(found, part, level);
      return found;
    }
    const found = bitsFor(this.#size(level));
    if ('or' in tree) for (const part of tree.or) this.#add(found, part, level);
    else if ('not' in tree) return this.#others(this.all(tree.not, level), level);
    else this.#add(found, tree, level);
    return found;
  }

  #size(level: Level): number {
    return level === 'row' ? this.#segment.rows.size : this.#segment.size;
  }

  #others(found: Bits, level: Level): Bits {
    invert(found, this.#size(level));
    return found;
  }

  #restrict(found: Bits, tree: FilterTree, level: Level): void {
    const holders = isPair(tree) ? this.#holdersOf(tree) : null;
    const simple = holders && holders.level === level && !holders.lifted;
    if (!simple) and(found, this.all(tree, level));
    else if ((tree as Leaf).op === '!=') holders.direct?.removeFrom(found);
    else if (holders.direct) holders.direct.retainIn(found);
    else found.fill(0);
  }

  #add(found: Bits, tree: FilterTree, level: Level): void {
    if (!isLeaf(tree) || this.of(tree) !== level) or(found, this.all(tree, level));
    else if (!isPair(tree)) this.#compare(found, tree);
    else if (tree.op === '!=') or(found, this.#others(this.#holding(tree, level), level));
    else or(found, this.#holding(tree, level));
  }

  #holding(leaf: Leaf, level: Level): Bits {
    const { direct, lifted } = this.#holdersOf(leaf);
    const found = bitsFor(this.#size(level));
    if (lifted) {
      const documents = bitsFor(this.#segment.size);
      lifted.addTo(documents);
      or(found, this.#segment.rows.ofDocuments(documents));
    }
    direct?.addTo(found);
    return found;
  }

  #holdersOf(leaf: Leaf): Holders {
    const known = this.#holders.get(leaf);
    if (known) return known;
    const found = holdersOf(this.#segment, leaf);
    this.#holders.set(leaf, found);
    return found;
  }

  /** Numbers compare by their column; incomparable values match nothing. */
  #compare(found: Bits, leaf: Leaf): void {
    const { key, op, value } = leaf;
    const comparable = kindOf(leaf) === 'number' && typeof value === 'number';
    if (!comparable) {
      if (op === '!=') or(found, full(this.#segment.size));
      return;
    }
    const column = this.#segment.columns[key as ColumnName];
    const matches = comparisons[op](value);
    for (let i = 0; i < column.length; i++) if (matches(column[i] as number)) set(found, i);
  }
}

/** Comparisons of a column's number with one in a filter. */
export const comparisons: Record<Leaf['op'], (requested: number) => (mine: number) => boolean> = {
  '=': (requested) => (mine) => mine === requested,
  '!=': (requested) => (mine) => mine !== requested,
  '>': (requested) => (mine) => mine > requested,
  '>=': (requested) => (mine) => mine >= requested,
  '<': (requested) => (mine) => mine < requested,
  '<=': (requested) => (mine) => mine <= requested,
};
