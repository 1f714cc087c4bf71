import type { FilterTree } from '../engine.ts';
import { folded, keys } from '../query/filter-keys.ts';
import { isLeaf, isPair, kindOf, type Leaf } from '../query/filter-leaves.ts';
import { and, type Bits, bitsFor, full, invert, or, set } from './bits.ts';
import type { Members } from './facet-values.ts';
import type { ColumnName } from './numeric-columns.ts';
import type { Segment } from './segment.ts';

/** What a filter leaves of a segment: documents of the one set that have a row in the other. */
export interface Matches {
  documents: Bits;
  /** The rows that satisfy everything asked of rows; null when nothing was. */
  rows: Bits | null;
}

type Level = 'project' | 'row';

/** Who satisfies a leaf when it asks for equality: members of the level, and documents to be lifted to it. */
interface Holders {
  level: Level;
  direct: Members | null;
  lifted: Members | null;
}

/**
 * The documents of a segment that have one single row which satisfies the whole tree: what is about the project on
 * bits of documents, what is about rows on bits of rows. Bringing them together is left to the caller, who may have
 * few documents to do it for. Source: search §2.
 */
export function matching(segment: Segment, tree: FilterTree): Matches {
  const level = new Levels(segment);
  const parts = conjuncts(tree);
  const documents = level.all({ and: parts.filter((part) => level.of(part) === 'project') }, 'project');
  const ofRows = parts.filter((part) => level.of(part) === 'row');
  if (ofRows.length === 0) return { documents, rows: null };
  return { documents, rows: level.all({ and: ofRows }, 'row') };
}

const conjuncts = (tree: FilterTree): FilterTree[] => ('and' in tree ? tree.and.flatMap(conjuncts) : [tree]);

/** Evaluates trees on one of the two levels; a part about projects is lifted where rows are asked for. */
class Levels {
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

  /** A leaf's holders; `categories` means loaders of rows and categories of projects at once. */
  #holdersOf(leaf: Leaf): Holders {
    const known = this.#holders.get(leaf);
    if (known) return known;
    const { ofProjects, ofRows } = this.#segment;
    const value = folded(leaf.key, String(leaf.value));
    const ofRow = keys.get(leaf.key)?.level === 'row' ? ofRows.members(leaf.key, value) : null;
    const ofProject = ofProjects.members(leaf.key, value);
    const found: Holders = ofRow
      ? { level: 'row', direct: ofRow, lifted: ofProject }
      : { level: 'project', direct: ofProject, lifted: null };
    this.#holders.set(leaf, found);
    return found;
  }

  /** Numbers compare by their column; whatever cannot be compared equals nothing. */
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

const comparisons: Record<Leaf['op'], (requested: number) => (mine: number) => boolean> = {
  '=': (requested) => (mine) => mine === requested,
  '!=': (requested) => (mine) => mine !== requested,
  '>': (requested) => (mine) => mine > requested,
  '>=': (requested) => (mine) => mine >= requested,
  '<': (requested) => (mine) => mine < requested,
  '<=': (requested) => (mine) => mine <= requested,
};
