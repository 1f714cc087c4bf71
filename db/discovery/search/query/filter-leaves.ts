import type { FilterTree } from '../engine.ts';
import { isRange, keys } from './filter-keys.ts';

/** One condition of a tree. */
export type Leaf = Extract<FilterTree, { key: string }>;

export const isLeaf = (tree: FilterTree): tree is Leaf => 'key' in tree;

/** Value type of a leaf's key; text for unknown keys. */
export const kindOf = ({ key }: Leaf) => keys.get(key)?.kind ?? 'text';

/** Whether a tree tests for one key-value pair; other leaves compare numbers, or never match. */
export const isPair = (tree: FilterTree): tree is Leaf =>
  isLeaf(tree) &&
  !isRange(tree.op) &&
  kindOf(tree) !== 'number' &&
  (kindOf(tree) !== 'boolean' || typeof tree.value === 'boolean');

/** Whether a tree has a condition on rows, not only on the project. */
export const onRows = (tree: FilterTree): boolean => {
  if (isLeaf(tree)) return keys.get(tree.key)?.level === 'row';
  if ('not' in tree) return onRows(tree.not);
  return ('and' in tree ? tree.and : tree.or).some(onRows);
};

/** All conditions of a tree; none of null. */
export function leavesOf(tree: FilterTree | null): Leaf[] {
  if (!tree) return [];
  if (isLeaf(tree)) return [tree];
  return 'not' in tree ? leavesOf(tree.not) : ('and' in tree ? tree.and : tree.or).flatMap(leavesOf);
}
