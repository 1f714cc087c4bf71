import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../../platform/context.ts';
import { projectTypes, typeInfo } from '../../platform/paths/project-types.ts';
import { typeOfHit } from './hit.ts';
import { placePath } from './named-places.ts';
import { addressOf, isFiltered, parseState } from './state.ts';
import { suggestedPlaces } from './suggest-places.server.ts';

/** The query parameter with the type of the page that a search over all types was started from. */
const started_in = 'in';

/** The most relevant hits, by whose types a search over all types decides. */
const sample_size = 50;

/**
 * The path, without the language, that a search over all types leads to. The name of a type leads to the type. Else it
 * is the search page of the type that the visitor started in when that has filters or hits, else of the type with most
 * of the first 50 hits. Without any hit the name of a category leads to the category.
 */
export async function destinationOf(
  services: Pick<AppServices, 'search' | 'settings'>,
  messages: Messages,
  query: URLSearchParams,
): Promise<string> {
  const here = typeInfo(query.get(started_in) ?? '');
  const state = parseState(query);
  const { text } = state;
  if (here && (text.trim() === '' || isFiltered(state))) return addressOf(here.path, state, null);
  if (text.trim() === '') return projectTypes[0].path;
  const places = await suggestedPlaces(services, messages, text, here?.type);
  const named = places.filter(({ exact }) => exact);
  const type = named.find(({ category }) => category === null);
  if (type) return placePath(type);
  const hits = await typesOfHits(services, text);
  if (here && hits.get(here.type)) return addressOf(here.path, state, null);
  const words = { ...parseState(new URLSearchParams()), text, sort: state.sort };
  const [best] = [...projectTypes].sort((a, b) => (hits.get(b.type) ?? 0) - (hits.get(a.type) ?? 0));
  if (hits.get(best!.type)) return addressOf(best!.path, words, null);
  return named[0] ? placePath(named[0]) : addressOf((here ?? projectTypes[0]).path, words, null);
}

/** How many of the most relevant hits in all types are of each type. Words that fit one type alone count only there. */
async function typesOfHits(
  { search, settings }: Pick<AppServices, 'search' | 'settings'>,
  text: string,
): Promise<Map<string, number>> {
  const found = await search.search({ text, filter: null, sort: 'relevance', offset: 0, limit: sample_size });
  const types = new Map<string, number>();
  for (const hit of await search.hits(found, 2, settings)) {
    const { type } = typeOfHit(hit);
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  return types;
}
