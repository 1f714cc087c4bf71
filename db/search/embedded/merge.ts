import type { Layer, LayerQuery } from './layer.ts';

/** A document found in one of several parts. */
interface MergedHit {
  part: Layer;
  document: number;
  id: string;
  key: number;
}
export interface Merged {
  total: number;
  hits: MergedHit[];
}

/** By key, then newest version, then project id: the ties every engine keeps. Source: search §2. */
function order(a: MergedHit, b: MergedHit): number {
  const newest = ({ part, document }: MergedHit) => part.segment.columns.newest_version[document] as number;
  return b.key - a.key || newest(b) - newest(a) || (a.id < b.id ? -1 : 1);
}

/**
 * The window of a step over several parts, the big one last. At most as many places as the small parts found can lie
 * before those of the big one, so only its window and that many places before it are looked at.
 */
export function merge(parts: readonly Layer[], step: LayerQuery): Merged {
  const upTo = step.from + step.count;
  const query = (part: Layer, from: number) => {
    const { total, hits } = part.find({ ...step, from, count: upTo - from });
    const named = hits.map((hit) => ({ ...hit, part, id: part.segment.ids[hit.document] as string }));
    return { total, hits: named };
  };
  const small = parts.slice(0, -1).map((part) => query(part, 0));
  const newer = small.flatMap(({ hits }) => hits).sort(order);
  const from = Math.max(0, step.from - newer.length);
  const big = query(parts.at(-1) as Layer, from);
  const total = small.reduce((sum, found) => sum + found.total, big.total);
  const hits = [...newer, ...big.hits].sort(order);
  return { total, hits: hits.slice(step.from - from, upTo - from) };
}
