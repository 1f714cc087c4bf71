import type { Operator, Tree } from './engine.ts';
import { keys } from './keys.ts';
import { type Budget, unusable } from './limits.ts';
import { Scanner, type Written } from './scanner.ts';

/** Which names of keys are spoken, and what has been counted so far. */
export interface Reading {
  api: 2 | 3;
  budget: Budget;
}

const namesV2 = new Map([
  ['versions', 'game_versions'],
  ['project_type', 'project_types'],
  ['title', 'name'],
]);

function isNumber(text: string): boolean {
  if (text.length > 32) return false;
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** The value as its key compares it: numbers and booleans only unquoted, text keys always text (`versions:1.20`). */
function typed(key: string, { text, quoted }: Written): string | number | boolean {
  const kind = keys.get(key)?.kind ?? 'text';
  if (quoted || kind === 'text') return text;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'number' && isNumber(text)) return Number(text);
  return text;
}

/** One counted condition, under the key's own name. */
export function condition(
  reading: Reading,
  where: string,
  written: { key: string; op: Operator; value: Written },
): Tree {
  const key = (reading.api === 2 ? namesV2.get(written.key) : undefined) ?? written.key;
  const value = typed(key, written.value);
  reading.budget.leaf(where, key, written.op, value);
  return { key, op: written.op, value };
}

/**
 * A boolean expression: `or := and (OR and)*`, `and := unary (AND unary)*`,
 * `unary := NOT unary | (or) | key OP value | key [NOT] IN [v, ..]`; keywords in any case.
 * Refuses `invalid_input` (400), EXISTS included. Source: search §2.
 */
export function expression(reading: Reading, where: string, text: string): Tree {
  const scan = new Scanner(where, text);
  const tree = or(reading, scan);
  return scan.ended ? tree : scan.refuse('AND, OR or the end');
}

function or(reading: Reading, scan: Scanner): Tree {
  const parts = [and(reading, scan)];
  while (scan.takeWord('OR')) parts.push(and(reading, scan));
  return parts.length === 1 ? (parts[0] as Tree) : { or: parts };
}

function and(reading: Reading, scan: Scanner): Tree {
  const parts = [unary(reading, scan)];
  while (scan.takeWord('AND')) parts.push(unary(reading, scan));
  return parts.length === 1 ? (parts[0] as Tree) : { and: parts };
}

function unary(reading: Reading, scan: Scanner): Tree {
  const { budget } = reading;
  if (scan.takeWord('NOT')) {
    budget.node(scan.where);
    return { not: budget.deeper(scan.where, () => unary(reading, scan)) };
  }
  if (scan.take('(')) {
    const inner = budget.deeper(scan.where, () => or(reading, scan));
    return scan.take(')') ? inner : scan.refuse('a closing parenthesis');
  }
  for (const keyword of ['AND', 'OR', 'IN'])
    if (scan.takeWord(keyword)) scan.refuse(`a condition, not ${keyword},`);
  const key = scan.key();
  if (key.toUpperCase() === 'EXISTS' || scan.takeWord('EXISTS'))
    throw unusable(scan.where, 'EXISTS is not supported');
  if (scan.takeWord('NOT')) {
    if (scan.takeWord('EXISTS')) throw unusable(scan.where, 'EXISTS is not supported');
    if (!scan.takeWord('IN')) scan.refuse('IN');
    return { and: list(reading, scan, key, '!=') };
  }
  if (scan.takeWord('IN')) return { or: list(reading, scan, key, '=') };
  const op = scan.operator();
  return condition(reading, scan.where, { key, op, value: scan.value() });
}

function list(reading: Reading, scan: Scanner, key: string, op: Operator): Tree[] {
  if (!scan.take('[')) scan.refuse('[');
  const values: Tree[] = [];
  if (scan.take(']')) return values;
  do values.push(condition(reading, scan.where, { key, op, value: scan.value() }));
  while (scan.take(','));
  return scan.take(']') ? values : scan.refuse('a comma or ]');
}
