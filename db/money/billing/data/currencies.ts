/**
 * What one GB of memory costs a month, in minor units, in each currency servers are sold in; `digits` are the decimals
 * of the minor unit (ISO 4217). USD 3.00 is the base price (specification §9), the others are rounded to customary amounts. All are even, so that quarterly prices stay whole.
 */
export const currencies = {
  USD: { digits: 2, gb_month: 300 },
  EUR: { digits: 2, gb_month: 280 },
  GBP: { digits: 2, gb_month: 240 },
  AED: { digits: 2, gb_month: 1100 },
  AUD: { digits: 2, gb_month: 460 },
  BHD: { digits: 3, gb_month: 1100 },
  BRL: { digits: 2, gb_month: 1600 },
  CAD: { digits: 2, gb_month: 420 },
  CHF: { digits: 2, gb_month: 260 },
  CLP: { digits: 0, gb_month: 2800 },
  CNY: { digits: 2, gb_month: 2200 },
  COP: { digits: 2, gb_month: 1200000 },
  CZK: { digits: 2, gb_month: 7000 },
  DKK: { digits: 2, gb_month: 2100 },
  EGP: { digits: 2, gb_month: 15000 },
  HKD: { digits: 2, gb_month: 2400 },
  HUF: { digits: 2, gb_month: 110000 },
  IDR: { digits: 2, gb_month: 4900000 },
  ILS: { digits: 2, gb_month: 1100 },
  INR: { digits: 2, gb_month: 26000 },
  JPY: { digits: 0, gb_month: 460 },
  KRW: { digits: 0, gb_month: 4200 },
  KWD: { digits: 3, gb_month: 920 },
  MXN: { digits: 2, gb_month: 5600 },
  MYR: { digits: 2, gb_month: 1300 },
  NOK: { digits: 2, gb_month: 3200 },
  NZD: { digits: 2, gb_month: 500 },
  PEN: { digits: 2, gb_month: 1100 },
  PHP: { digits: 2, gb_month: 17000 },
  PLN: { digits: 2, gb_month: 1200 },
  RON: { digits: 2, gb_month: 1400 },
  SAR: { digits: 2, gb_month: 1100 },
  SEK: { digits: 2, gb_month: 3000 },
  SGD: { digits: 2, gb_month: 400 },
  THB: { digits: 2, gb_month: 10000 },
  TRY: { digits: 2, gb_month: 12000 },
  TWD: { digits: 2, gb_month: 9600 },
  UAH: { digits: 2, gb_month: 12000 },
  VND: { digits: 0, gb_month: 76000 },
  ZAR: { digits: 2, gb_month: 5400 },
} as const satisfies Record<string, { digits: number; gb_month: number }>;
export type Currency = keyof typeof currencies;

/** Countries (ISO 3166) of each currency; all others see USD. */
const countries: Partial<Record<Currency, string>> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA ME XK',
  GBP: 'GB IM JE GG',
  CHF: 'CH LI',
  AUD: 'AU',
  NZD: 'NZ',
  NOK: 'NO',
  DKK: 'DK GL FO',
};
const byCountry = new Map(
  Object.entries(countries).flatMap(([currency, list]) =>
    list.split(' ').map((country) => [country, currency as Currency] as const),
  ),
);

/** The currency of a country by its two letters, or USD. */
export function currencyOf(country: string): Currency {
  const named = byCountry.get(country);
  if (named) return named;
  // elsewhere the first two letters of a currency are its country's
  const own = (Object.keys(currencies) as Currency[]).find((code) => code.slice(0, 2) === country);
  return own && own !== 'EUR' ? own : 'USD';
}
