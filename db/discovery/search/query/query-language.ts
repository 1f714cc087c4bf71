import type { FilterTree } from '../engine.ts';
import { expression, type Reading } from './expressions.ts';
import { facets } from './filter-facets.ts';
import { Budget, checkSize } from './limits.ts';

export interface FilterTexts {
  facets?: string | undefined;
  filters?: string | undefined;
  version?: string | undefined;
  new_filters?: string | undefined;
}

/**
 * Parses the filter parameters of a search into a tree, null for no filter. `new_filters` replaces `filters` and
 * `version`; everything is ANDed with the facets. `api` decides the names of keys (v2 `versions` is v3
 * `game_versions`) and whether facets may contain AND groups. Refuses `invalid_input` (400) with the parameter, the
 * position and what was expected. Source: search §2, §5.
 */
export function parseFilter(texts: FilterTexts, api: 2 | 3): FilterTree | null {
  const reading: Reading = { api, budget: new Budget() };
  const parts: FilterTree[] = [];
  if (given(texts.facets)) {
    checkSize('facets', texts.facets);
    parts.push(...facets(reading, texts.facets));
  }
  for (const name of given(texts.new_filters)
    ? (['new_filters'] as const)
    : (['filters', 'version'] as const)) {
    const text = texts[name];
    if (!given(text)) continue;
    checkSize(name, text);
    parts.push(expression(reading, name, text));
  }
  if (parts.length === 0) return null;
  return parts.length === 1 ? (parts[0] as FilterTree) : { and: parts };
}

const given = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';
