import type { Layer, LayerQuery } from './layer.ts';

/** A document found in one of several layers. */
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

/** By key, then newest version, then project id: the tie-breakers of every engine. Source: search §2. */
function order(a: MergedHit, b: MergedHit): number {
  const newest = ({ part, document }: MergedHit) => part.segment.columns.newest_version[document] as number;
  return b.key - a.key || newest(b) - newest(a) || (a.id < b.id ? -1 : 1);
}

/**
 * A page of results over several layers, the big one last. Matches of the small layers can shift those of the big one
 * by at most their number, so only its page and that many positions before it are read.
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
