import { Refused } from '../../../platform/errors.ts';
import type { Operator } from '../engine.ts';
import { isRange, keys } from './filter-keys.ts';

/** Limits of a query. Source: search §5. */
export const limits = {
  query_characters: 2_000,
  filter_bytes: 64 * 1024,
  nodes: 1_024,
  depth: 64,
  cost: 2_048,
  /** Options of one request for counts: every game version, snapshots included, and all other filters. */
  options: 2_048,
} as const;

/** The refusal of a filter: `where` is the parameter, `problem` says what to change. */
export const invalidFilter = (where: string, problem: string): Refused =>
  new Refused('invalid_input', { problem: `${where}: ${problem}` });

/** Refuses text that is too long to parse. */
export function checkSize(where: string, text: string): void {
  if (text.length > limits.filter_bytes || Buffer.byteLength(text) > limits.filter_bytes)
    throw invalidFilter(where, `longer than ${limits.filter_bytes} bytes`);
}

const costOf = (key: string, op: Operator): number => {
  if (isRange(op)) return 40;
  return keys.get(key)?.level === 'row' ? 3 : 1;
};

/**
 * Counts a filter while it is parsed, over all its parameters: conditions (each value of an IN list is one) and
 * negations as nodes, brackets and negations as depth, and the cost of conditions for an engine, equal ones once.
 */
export class Budget {
  #nodes = 0;
  #depth = 0;
  #cost = 0;
  readonly #spent = new Set<string>();

  node(where: string): void {
    if (++this.#nodes > limits.nodes) throw invalidFilter(where, `more than ${limits.nodes} conditions`);
  }

  leaf(where: string, key: string, op: Operator, value: string | number | boolean): void {
    this.node(where);
    const same = JSON.stringify([key, op, value]);
    if (this.#spent.has(same)) return;
    this.#spent.add(same);
    this.#cost += costOf(key, op);
    if (this.#cost > limits.cost) throw invalidFilter(where, 'too costly, use fewer ranges and conditions');
  }

  /** Runs `read` one level deeper. */
  deeper<T>(where: string, read: () => T): T {
    if (++this.#depth > limits.depth) throw invalidFilter(where, `nested deeper than ${limits.depth} levels`);
    const result = read();
    this.#depth--;
    return result;
  }
}
