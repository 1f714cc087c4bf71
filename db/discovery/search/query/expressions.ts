import type { FilterTree, Operator } from '../engine.ts';
import { keys } from './filter-keys.ts';
import { FilterLexer, type Token } from './filter-lexer.ts';
import { type Budget, invalidFilter } from './limits.ts';

/** Naming of keys (API version), and the cost so far. */
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

/** The value in the type of its key: numbers and booleans only unquoted, text keys always text (`versions:1.20`). */
function typed(key: string, { text, quoted }: Token): string | number | boolean {
  const kind = keys.get(key)?.kind ?? 'text';
  if (quoted || kind === 'text') return text;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'number' && isNumber(text)) return Number(text);
  return text;
}

/** One condition, added to the cost, under the key's internal name. */
export function condition(
  reading: Reading,
  where: string,
  written: { key: string; op: Operator; value: Token },
): FilterTree {
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
export function expression(reading: Reading, where: string, text: string): FilterTree {
  const scan = new FilterLexer(where, text);
  const tree = or(reading, scan);
  return scan.ended ? tree : scan.refuse('AND, OR or the end');
}

function or(reading: Reading, scan: FilterLexer): FilterTree {
  const parts = [and(reading, scan)];
  while (scan.acceptWord('OR')) parts.push(and(reading, scan));
  return parts.length === 1 ? (parts[0] as FilterTree) : { or: parts };
}

function and(reading: Reading, scan: FilterLexer): FilterTree {
  const parts = [unary(reading, scan)];
  while (scan.acceptWord('AND')) parts.push(unary(reading, scan));
  return parts.length === 1 ? (parts[0] as FilterTree) : { and: parts };
}

function unary(reading: Reading, scan: FilterLexer): FilterTree {
  const { budget } = reading;
  if (scan.acceptWord('NOT')) {
    budget.node(scan.where);
    return { not: budget.deeper(scan.where, () => unary(reading, scan)) };
  }
  if (scan.accept('(')) {
    const inner = budget.deeper(scan.where, () => or(reading, scan));
    return scan.accept(')') ? inner : scan.refuse('a closing parenthesis');
  }
  for (const keyword of ['AND', 'OR', 'IN'])
    if (scan.acceptWord(keyword)) scan.refuse(`a condition, not ${keyword},`);
  const key = scan.key();
  if (key.toUpperCase() === 'EXISTS' || scan.acceptWord('EXISTS'))
    throw invalidFilter(scan.where, 'EXISTS is not supported');
  if (scan.acceptWord('NOT')) {
    if (scan.acceptWord('EXISTS')) throw invalidFilter(scan.where, 'EXISTS is not supported');
    if (!scan.acceptWord('IN')) scan.refuse('IN');
    return { and: list(reading, scan, key, '!=') };
  }
  if (scan.acceptWord('IN')) return { or: list(reading, scan, key, '=') };
  const op = scan.operator();
  return condition(reading, scan.where, { key, op, value: scan.value() });
}

function list(reading: Reading, scan: FilterLexer, key: string, op: Operator): FilterTree[] {
  if (!scan.accept('[')) scan.refuse('[');
  const values: FilterTree[] = [];
  if (scan.accept(']')) return values;
  do values.push(condition(reading, scan.where, { key, op, value: scan.value() }));
  while (scan.accept(','));
  return scan.accept(']') ? values : scan.refuse('a comma or ]');
}
