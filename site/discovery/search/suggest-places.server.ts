import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../../platform/context.ts';
import { type NamedPlace, placesNamed } from './named-places.ts';
import { countPlaces } from './type-counts.server.ts';

/** A place that a text names, with its number of projects. */
export type CountedPlace = NamedPlace & { count: number };

const max_places = 4;
/** An exactly named category is suggested for more than one type. */
const max_types = 2;

/**
 * The places with projects that `text` names, for suggestions: at most four, types before categories. A category stands
 * for the type `here` if it has the category, and for those with most projects.
 */
export async function suggestedPlaces(
  services: Pick<AppServices, 'search'>,
  messages: Messages,
  text: string,
  here: string | undefined,
): Promise<CountedPlace[]> {
  const named = placesNamed(messages, text);
  const counts = await countPlaces(services, named);
  const some = named
    .map((place, at) => ({ ...place, count: counts[at]! }))
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        Number(b.exact) - Number(a.exact) ||
        Number(a.category !== null) - Number(b.category !== null) ||
        Number(b.kind.type === here) - Number(a.kind.type === here) ||
        b.count - a.count,
    );
  const seen = new Map<string, number>();
  const found = some.filter(({ category, exact }) => {
    if (category === null) return true;
    const times = (seen.get(category) ?? 0) + 1;
    seen.set(category, times);
    return times <= (exact ? max_types : 1);
  });
  return found.slice(0, max_places);
}
