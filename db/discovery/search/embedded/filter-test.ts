import type { FilterTree } from '../engine.ts';
import { isPair, kindOf, type Leaf } from '../query/filter-leaves.ts';
import { comparisons, conjuncts, holdersOf, Levels } from './filter.ts';
import type { ColumnName } from './numeric-columns.ts';
import type { Segment } from './segment.ts';

/** Whether one row of a document satisfies a tree. */
export type Test = (document: number, row: number) => boolean;

/** A filter to be tested document by document: for few of them that is faster than bit sets. */
export interface FilterTest {
  /** Conditions on the project; any row will do. */
  document: Test;
  /** Conditions on a row; null: none. */
  row: Test | null;
}

/** A filter as tests of a document and of one of its rows; null: everything passes. */
export function filterTest(segment: Segment, filter: FilterTree | null): FilterTest {
  const levels = new Levels(segment);
  const parts = filter ? conjuncts(filter) : [];
  const ofRows = parts.filter((part) => levels.of(part) === 'row');
  const ofProjects = parts.filter((part) => levels.of(part) === 'project');
  return {
    document: testOf(segment, { and: ofProjects }),
    row: ofRows.length > 0 ? testOf(segment, { and: ofRows }) : null,
  };
}

/** A tree as a test. */
function testOf(segment: Segment, tree: FilterTree): Test {
  if ('not' in tree) {
    const test = testOf(segment, tree.not);
    return (document, row) => !test(document, row);
  }
  if ('and' in tree || 'or' in tree) {
    const every = 'and' in tree;
    const tests = (every ? tree.and : tree.or).map((part) => testOf(segment, part));
    const [first] = tests;
    if (first && tests.length === 1) return first;
    return (document, row) => {
      for (const test of tests) if (test(document, row) !== every) return !every;
      return every;
    };
  }
  return isPair(tree) ? equality(segment, tree) : comparison(segment, tree);
}

function equality(segment: Segment, leaf: Leaf): Test {
  const { level, direct, lifted } = holdersOf(segment, leaf);
  const equal = leaf.op === '=';
  if (!direct) return () => !equal;
  if (level === 'project') return (document) => direct.has(document) === equal;
  if (!lifted) return (_document, row) => direct.has(row) === equal;
  return (document, row) => (direct.has(row) || lifted.has(document)) === equal;
}

function comparison({ columns }: Segment, leaf: Leaf): Test {
  const { key, op, value } = leaf;
  if (kindOf(leaf) !== 'number' || typeof value !== 'number') return () => op === '!=';
  const column = columns[key as ColumnName];
  const matches = comparisons[op](value);
  return (document) => matches(column[document] as number);
}
