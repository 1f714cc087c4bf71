import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { type Response as Found, Reader } from 'mmdb-lib';
import { z } from 'zod';
import type { AppServices } from '../context.ts';

/** Roughly where a network address is; null as far as unknown. */
interface Place {
  city: string | null;
  /** ISO 3166, such as `DE`. */
  country: string | null;
}

const unknown: Place = { city: null, country: null };
const shape = z.object({
  city: z.object({ names: z.object({ en: z.string().max(200) }) }).optional(),
  country: z.object({ iso_code: z.string().regex(/^[A-Z]{2}$/) }).optional(),
});
const opened = new Map<string, Promise<Reader<Found>>>();

/** The place of a network address by the database of GEOIP_DATABASE; unknown without one. */
export async function placeOfAddress(
  address: string,
  { settings, log }: Pick<AppServices, 'settings' | 'log'>,
): Promise<Place> {
  const path = settings.GEOIP_DATABASE;
  if (!path || !ipaddr.isValid(address)) return unknown;
  try {
    let reader = opened.get(path);
    if (!reader) {
      reader = readFile(path).then((file) => new Reader<Found>(file));
      opened.set(path, reader);
    }
    const said = shape.safeParse((await reader).get(ipaddr.process(address).toString()));
    if (!said.success) return unknown;
    return { city: said.data.city?.names.en ?? null, country: said.data.country?.iso_code ?? null };
  } catch (error) {
    log.warn({ err: error, path }, 'The file of GEOIP_DATABASE cannot be read: a session names no place');
    return unknown;
  }
}
