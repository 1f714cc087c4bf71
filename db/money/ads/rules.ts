/** Where ads stand: beside the filters of a search page, in the sidebar of a project. */
export const adPlaces = ['search', 'project'] as const;
export type AdPlace = (typeof adPlaces)[number];

/** What decides which ad is shown. */
export interface Showable {
  id: string;
  places: readonly AdPlace[];
  /** First and last day in UTC, such as `2026-12-01`; null for no limit. */
  from: string | null;
  until: string | null;
  /** How often it is shown beside the others of its place. */
  weight: number;
}

/** Whether an ad may stand in a place on a day. */
const isDue = ({ places, from, until }: Showable, place: AdPlace, day: string): boolean =>
  places.includes(place) && (from === null || from <= day) && (until === null || day <= until);

/**
 * The ad for a place of a page, or null when none is due. Pages are cached for everybody, so page and hour decide, not
 * chance: the ads of a page change every hour, each as often as its weight says.
 */
export function chooseAd<Ad extends Showable>(
  ads: readonly Ad[],
  { place, page, at }: { place: AdPlace; page: string; at: Date },
): Ad | null {
  const hour = at.toISOString().slice(0, 13);
  const due = ads.filter((ad) => isDue(ad, place, hour.slice(0, 10)));
  const total = due.reduce((sum, { weight }) => sum + weight, 0);
  let left = total === 0 ? 0 : hashOf(`${place} ${page} ${hour}`) % total;
  for (const ad of due) {
    if (left < ad.weight) return ad;
    left -= ad.weight;
  }
  return null;
}

/** A number of 32 bits, evenly spread: FNV-1a with the last steps of MurmurHash3. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** What impressions earn in minor units, rounded down; `rate` is for a thousand of them. */
export const earnedBy = (impressions: number, rate: number): number =>
  Math.floor((impressions * rate) / 1000);
