import type { FilterTree } from '../engine.ts';
import { condition, expression, type Reading } from './expressions.ts';
import { FilterLexer } from './filter-lexer.ts';
import { invalidFilter } from './limits.ts';

const where = 'facets';

/**
 * `key OP value`; in the colon form the rest is the value unless it contains `=`, `<` or `>`. A key without a value is no
 * condition, as launchers send it while nothing is chosen (`versions:`).
 */
function facet(reading: Reading, text: string): FilterTree[] {
  const scan = new FilterLexer(where, text);
  const key = scan.colonKey();
  if (key === null) return [expression(reading, where, text)];
  return scan.ended ? [] : [condition(reading, where, { key, op: '=', value: scan.rest() })];
}

function choice(reading: Reading, item: unknown): FilterTree[] {
  if (typeof item === 'string') return facet(reading, item);
  if (!Array.isArray(item)) throw invalidFilter(where, 'each facet must be text like "categories:fabric"');
  if (reading.api === 2) throw invalidFilter(where, 'a third level of arrays is known to v3 only');
  if (item.some((one) => typeof one !== 'string')) throw invalidFilter(where, 'arrays are nested too deep');
  const all = item.flatMap((one: string) => facet(reading, one));
  return all.length === 0 ? [] : [{ and: all }];
}

/**
 * Parses the facets parameter: a JSON array (AND) of arrays (OR) of `key OP value`; v3 also accepts an array (AND)
 * inside the OR level. Empty groups and keys without a value are ignored. Refuses `invalid_input` (400). Source: search §2.
 */
export function facets(reading: Reading, text: string): FilterTree[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidFilter(where, 'not valid JSON');
  }
  if (!Array.isArray(parsed)) throw invalidFilter(where, 'must be a JSON array of arrays');
  return parsed.flatMap((group: unknown) => {
    if (!Array.isArray(group))
      throw invalidFilter(where, 'each item must be an array, as in [["categories:fabric"]]');
    const choices = group.flatMap((item: unknown) => choice(reading, item));
    if (choices.length === 0) return [];
    return choices.length === 1 ? choices : [{ or: choices }];
  });
}
