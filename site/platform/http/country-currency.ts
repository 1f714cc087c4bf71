import type { IncomingMessage } from 'node:http';
import { currencyOf } from '#db/money/billing/rules.ts';
import { countryInHeader } from './country-header.ts';

/** The pages that show prices; `/plus` is the same for everybody, and its script asks for the country. */
const priced = /^\/(?:servers(?:\/buy)?|settings\/billing\/plus)(?:\?|$)/;

/**
 * Adds the currency of the visitor's country to the address of a page with prices, unless a currency was chosen: pages are
 * kept by address, so everybody of a currency gets the same bytes. `header` is the one in which a proxy names the country;
 * without it, and for what is no country (`XX`, `T1`), the language decides.
 */
export function withCountryCurrency(req: IncomingMessage, header: string | undefined): void {
  if (!header || !req.url || !priced.test(req.url)) return;
  const country = countryInHeader(req.headers[header]);
  if (!country) return;
  const at = req.url.indexOf('?');
  if (at !== -1 && new URLSearchParams(req.url.slice(at)).has('currency')) return;
  req.url += `${at === -1 ? '?' : '&'}currency=${currencyOf(country)}`;
}
