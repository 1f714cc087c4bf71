import { z } from 'zod';
import type { AppServices } from '../context.ts';

/** Roughly where a network address is; null as far as unknown. */
export interface Place {
  city: string | null;
  /** ISO 3166, such as `DE`. */
  country: string | null;
}
type Lookup = (address: string) => Place;

const unknown: Place = { city: null, country: null };
const shape = z.object({
  city: z.object({ names: z.object({ en: z.string().max(200) }) }).optional(),
  country: z.object({ iso_code: z.string().regex(/^[A-Z]{2}$/) }).optional(),
});
const opened = new Map<string, Promise<Lookup>>();

/** The place of a network address by the database of GEOIP_DATABASE; unknown without one. */
export async function placeOfAddress(
  address: string,
  { settings, log }: Pick<AppServices, 'settings' | 'log'>,
): Promise<Place> {
  const path = settings.GEOIP_DATABASE;
  if (!path) return unknown;
  let lookup = opened.get(path);
  if (!lookup) {
    lookup = open(path).catch((error: unknown) => {
      log.warn({ err: error, path }, 'The file of GEOIP_DATABASE cannot be read: sessions name no places');
      return () => unknown;
    });
    opened.set(path, lookup);
  }
  return (await lookup)(address);
}

async function open(path: string): Promise<Lookup> {
  const { default: maxmind } = await import('maxmind');
  const reader = await maxmind.open(path);
  return (address) => {
    const said = maxmind.validate(address) ? shape.safeParse(reader.get(address)) : null;
    if (!said?.success) return unknown;
    return { city: said.data.city?.names.en ?? null, country: said.data.country?.iso_code ?? null };
  };
}
