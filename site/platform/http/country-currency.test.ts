import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { withCountryCurrency } from './country-currency.ts';

const address = (url: string, country?: string | string[], header: string | undefined = 'cf-ipcountry') => {
  const req = { url, headers: country === undefined ? {} : { 'cf-ipcountry': country } } as IncomingMessage;
  withCountryCurrency(req, header);
  return req.url;
};

it('adds the currency of the country to pages with prices', () => {
  expect(address('/servers', 'DE')).toBe('/servers?currency=EUR');
  expect(address('/servers/buy?plan=small', 'jp')).toBe('/servers/buy?plan=small&currency=JPY');
  expect(address('/servers', 'BR')).toBe('/servers?currency=BRL');
  expect(address('/settings/billing/plus', 'DE')).toBe('/settings/billing/plus?currency=EUR');
});

it('leaves a chosen currency, other pages, and what is no country alone', () => {
  expect(address('/servers?currency=USD', 'DE')).toBe('/servers?currency=USD');
  expect(address('/servers/manage', 'DE')).toBe('/servers/manage');
  for (const country of ['XX', 'T1', '', 'Germany', 'D&', undefined])
    expect(address('/servers', country)).toBe('/servers');
  expect(address('/servers', ['DE', 'FR'])).toBe('/servers');
  expect(address('/servers', 'DE', '')).toBe('/servers');
});
