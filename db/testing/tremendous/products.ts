/** A catalogue as Tremendous tells it, and how many of each currency one dollar is. */
export const rates = { USD: 1, EUR: 0.9, INR: 83.21, JPY: 150 };

const images = [
  { src: 'https://tremendous.example/card.png', type: 'card' },
  { src: 'https://tremendous.example/logo.png', type: 'logo' },
];
const common = { description: '', disclosure: '', images };

export const products = [
  {
    ...{ ...common, id: 'BOOKS_US', name: 'Books', category: 'merchant_card', skus: [{ min: 1, max: 2000 }] },
    ...{ currency_codes: ['USD'], countries: [{ abbr: 'US' }] },
  },
  {
    ...{ ...common, id: 'CARD', name: 'Prepaid card', category: 'visa_card', skus: [], images: [] },
    ...{ currency_codes: ['EUR', 'USD'], countries: [{ abbr: 'US' }, { abbr: 'DE' }] },
  },
  {
    ...{ ...common, id: 'KINO', name: 'Cinema', category: 'merchant_card' },
    skus: [10, 25, 50].map((value) => ({ min: value, max: value })),
    ...{ currency_codes: ['EUR'], countries: [{ abbr: 'DE' }] },
  },
  {
    ...{ ...common, id: 'SHOP_EU', name: 'Shop', category: 'merchant_card', skus: [{ min: 5, max: 200.5 }] },
    ...{ currency_codes: ['EUR'], countries: [{ abbr: 'DE' }] },
  },
  {
    ...{ ...common, id: 'BAZAAR', name: 'Bazaar', category: 'merchant_card' },
    skus: [500, 1000].map((value) => ({ min: value, max: value })),
    ...{ currency_codes: ['INR'], countries: [{ abbr: 'IN' }] },
  },
  {
    ...{
      ...common,
      id: 'HELP',
      name: 'Aid',
      category: 'charity',
      skus: [],
      currency_codes: ['USD'],
      countries: [],
    },
  },
  // those with a fee
  {
    ...{ ...common, id: 'ACH', name: 'ACH', category: 'ach', skus: [{ min: 5, max: 2000 }] },
    ...{ currency_codes: ['USD'], countries: [{ abbr: 'MX' }] },
  },
  {
    ...{ ...common, id: 'ACH_FIXED', name: 'ACH in steps', category: 'instant_debit_transfer' },
    skus: [10, 25].map((value) => ({ min: value, max: value })),
    ...{ currency_codes: ['USD'], countries: [{ abbr: 'MX' }] },
  },
  {
    ...{
      ...common,
      id: 'IBAN',
      name: 'IBAN',
      category: 'international_bank',
      skus: [{ min: 5, max: 200.5 }],
    },
    ...{ currency_codes: ['EUR'], countries: [{ abbr: 'MX' }] },
  },
  {
    ...{ ...common, id: 'IBAN_FIXED', name: 'IBAN in steps', category: 'international_bank' },
    skus: [10, 25, 50].map((value) => ({ min: value, max: value })),
    ...{ currency_codes: ['EUR'], countries: [{ abbr: 'MX' }] },
  },
  {
    ...{ ...common, id: 'PAYPAL', name: 'PayPal', category: 'paypal', skus: [{ min: 0.3, max: 200 }] },
    ...{ currency_codes: ['USD'], countries: [{ abbr: 'MX' }] },
  },
  {
    ...{ ...common, id: 'LOST', name: 'No rate', category: 'merchant_card', skus: [] },
    ...{ currency_codes: ['XPF'], countries: [{ abbr: 'DE' }] },
  },
];
