import type { Messages } from '#content/messages.ts';
import { gameVersions } from '#db/catalogue/tags/read.ts';
import type { AppServices } from '../../platform/context.ts';
import { type ProjectTypeInfo, projectTypes } from '../../platform/paths/project-types.ts';
import { chipsOf } from './chips.ts';
import { filterTree } from './filter-tree.ts';
import { hasSides, knownOf, namesOf } from './groups.ts';
import { recognized } from './recognized-words.ts';
import { parseState, queryOf } from './state.ts';

/** A list whose filters a text names. */
export interface FilteredList {
  kind: ProjectTypeInfo;
  path: string;
  /** The words that are left, and the filters. */
  name: string;
  count: number;
}

/**
 * The list of the type `here` (mods by default) with the versions and what stands beside them in `text` as filters, as the
 * search page reads it; null when it names none or nothing is in it.
 */
export async function suggestedFilters(
  { sql, search }: Pick<AppServices, 'sql' | 'search'>,
  messages: Messages,
  text: string,
  here: string | undefined,
): Promise<FilteredList | null> {
  const kind =
    projectTypes.find(({ type }) => type === here) ?? projectTypes.find(({ type }) => type === 'mod')!;
  const versions = await gameVersions(sql);
  const typed = parseState(new URLSearchParams({ q: text }));
  const numbers = versions.map(({ version }) => version);
  const meant = recognized(typed, knownOf(kind.type, versions), numbers, { has_sides: hasSides(kind.type) });
  if (!meant?.is_certain) return null;
  const { state } = meant;
  const filter = filterTree(state, kind.type);
  const { total } = await search.search({ text: state.text, filter, sort: 'downloads', offset: 0, limit: 1 });
  if (total === 0) return null;
  const filters = chipsOf(messages, namesOf(messages, kind.type), state).map(({ name }) => name);
  const name = [state.text, ...filters].filter(Boolean).join(' · ');
  return { kind, path: `${kind.path}?${queryOf(state)}`, name, count: total };
}
