import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import { type Response as Found, Reader } from 'mmdb-lib';
import type { Logger } from 'pino';
import type { CountryOf } from './counter.ts';
import { unknownCountry } from './rules.ts';

/** The free table of networks and countries that comes from npm: CC0, 8 MB, read once when the first country is asked for. */
const bundled = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

interface Row {
  country_code?: unknown;
  country?: { iso_code?: unknown };
}

/**
 * Makes what finds the country of a network, without asking anybody: in the database `file` if given, else in the table
 * that comes with the product. What cannot be read is logged once, and then no country is known.
 */
export function countries(file: string | undefined, log: Pick<Logger, 'warn'>): CountryOf {
  let reader: Reader<Found> | null | undefined;
  const open = (): Reader<Found> | null => {
    const path = file ?? createRequire(import.meta.url).resolve(bundled);
    try {
      return new Reader<Found>(readFileSync(path));
    } catch (error) {
      log.warn({ err: error, path }, 'The table of countries cannot be read: charts name no country');
      return null;
    }
  };
  return (network) => {
    if (reader === undefined) reader = open();
    const address = network.replace(/\/64$/, '');
    if (!reader || !ipaddr.isValid(address)) return unknownCountry;
    const row = reader.get(ipaddr.process(address).toString()) as Row | null;
    const code = row?.country_code ?? row?.country?.iso_code;
    return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : unknownCountry;
  };
}
