import { z } from 'zod';
import type { PayoutMethod } from '../../provider.ts';
import { Nonsense, type TremendousClient } from './client.ts';

/** The catalogue of a country has some hundreds of products. */
const max_methods = 500;
/** Without bands of amounts a product takes up to $5,000. Source: screens §A.6 (Withdraw). */
const unlimited = { min_minor: 1, max_minor: 500_000 };

const product = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(300),
  category: z.string().max(60),
  skus: z
    .array(z.object({ min: z.number(), max: z.number() }))
    .max(500)
    .nullish(),
  currency_codes: z.array(z.string().max(3)).max(300),
  countries: z
    .array(z.object({ abbr: z.string().max(3) }))
    .max(300)
    .nullish(),
  images: z
    .array(z.object({ src: z.string().max(2000), type: z.string().max(20) }))
    .max(50)
    .nullish(),
});
export type Product = z.output<typeof product>;

/** How many of each currency one dollar is. */
export type Rates = Readonly<Record<string, number>>;

const categories: Readonly<Record<string, PayoutMethod['category']>> = {
  ach: 'bank',
  international_bank: 'bank',
  instant_debit_transfer: 'bank',
  charity: 'charity',
  merchant_card: 'gift_card',
  visa_card: 'prepaid',
  paypal: 'paypal',
};

/** The products that pay people of a country, by their names. Throws what the library throws, and `Nonsense`. */
export async function methodsIn(client: TremendousClient, country: string): Promise<PayoutMethod[]> {
  const [listed, rates] = await Promise.all([
    client.products.listProducts(country, undefined, undefined, client.limits()),
    ratesOf(client),
  ]);
  const all: unknown = listed.data.products;
  if (!Array.isArray(all)) throw new Nonsense('Tremendous listed no products.');
  const methods = all.slice(0, 5000).flatMap((one) => {
    // one odd product does not take the others away
    const parsed = product.safeParse(one);
    if (!parsed.success || !isIn(parsed.data, country)) return [];
    return methodOf(parsed.data, rates) ?? [];
  });
  return methods.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, max_methods);
}

const isIn = ({ countries }: Product, country: string): boolean =>
  !countries?.length || countries.some(({ abbr }) => abbr === country);

/** One product. Throws what the library throws, and `Nonsense`. */
export async function readProduct(client: TremendousClient, id: string): Promise<Product> {
  const { data } = await client.products.getProduct(id, client.limits());
  const parsed = product.safeParse(data.product);
  if (!parsed.success) throw new Nonsense('Tremendous told nothing of a product.');
  return parsed.data;
}

/** The rates of today. Throws what the library throws, and `Nonsense`. */
export async function ratesOf(client: TremendousClient): Promise<Rates> {
  const { data } = await client.forex.listForex('USD', client.limits());
  const parsed = z.record(z.string().max(3), z.number().positive()).safeParse(data.forex);
  if (!parsed.success) throw new Nonsense('Tremendous told no exchange rates.');
  return { ...parsed.data, USD: 1 };
}

/** The currency in which a product is paid: dollars where it has them, else the first with a rate. */
export const currencyOf = ({ currency_codes }: Product, rates: Rates): string | null =>
  currency_codes.includes('USD') ? 'USD' : (currency_codes.find((code) => rates[code] !== undefined) ?? null);

/** A product as a method; null when its currency has no rate, or it takes no amount. */
function methodOf(one: Product, rates: Rates): PayoutMethod | null {
  const currency = currencyOf(one, rates);
  const rate = currency && rates[currency];
  const interval = rate ? intervalOf(one, rate) : null;
  if (!interval || !rate) return null;
  const image = (type: string) =>
    one.images?.find((found) => found.type === type && found.src.startsWith('https://'))?.src ?? null;
  return {
    ...{ id: one.id, type: 'tremendous', name: one.name, category: categories[one.category] ?? 'other' },
    ...{ image_url: image('card'), logo_url: image('logo'), interval },
    currency: currency === 'USD' ? null : currency,
    exchange_rate: currency === 'USD' ? null : rate,
  };
}

/** Fixed amounts, or the widest band, in minor units of dollars. */
function intervalOf({ skus }: Product, rate: number): PayoutMethod['interval'] | null {
  if (!skus?.length) return unlimited;
  const minor = (amount: number) => (amount * 100) / rate;
  const bands = skus.filter(({ min, max }) => max > min).sort((a, b) => b.max - b.min - (a.max - a.min));
  const [widest] = bands;
  if (widest) {
    const range = {
      min_minor: Math.max(1, Math.ceil(minor(widest.min))),
      max_minor: Math.floor(minor(widest.max)),
    };
    return range.min_minor <= range.max_minor ? range : null;
  }
  const values = new Set(skus.map(({ min }) => Math.round(minor(min))).filter((value) => value > 0));
  return values.size > 0 ? { values_minor: [...values].sort((a, b) => a - b) } : null;
}
