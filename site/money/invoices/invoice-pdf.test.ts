import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import type { Invoice } from '#db/money/billing/invoices/read.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { visualOrder } from './visual-order.ts';

const invoice: Invoice = {
  ...{
    id: 'a',
    kind: 'invoice',
    charge_id: 'b',
    number: 'TEST-A-000012',
    amount_minor: 1234,
    currency: 'USD',
  },
  issued: '2026-11-27T10:00:00Z',
  content: {
    number: 'TEST-A-000012',
    operator: { name: 'Höhle & Söhne GmbH', address: ['Hauptstraße 5', '10115 Berlin'], tax_id: 'DE123' },
    tax: { name: 'VAT', rate: 19_000, tax_minor: 197 },
    buyer: { id: 'abc', name: 'fen' },
    item: {
      ...{ product: '4 GB', name: 'Valley', term: 'monthly' },
      ...{ period_start: '2026-11-27T10:00:00Z', period_end: '2026-12-27T10:00:00Z' },
    },
    corrects: null,
    test: true,
  },
};

/** What a PDF of pdfkit says, in the order in which it is drawn: its glyphs by the tables that its fonts bring. */
function textOf(pdf: Buffer): string {
  const objects = new Map<string, string>();
  for (const [, id, body] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head, stream] = body!.replace(/\nendstream$/, '').split(/\bstream\n([\s\S]*)/) as [
      string,
      string?,
    ];
    const isPacked = stream !== undefined && head.includes('/FlateDecode');
    objects.set(id!, isPacked ? inflateSync(Buffer.from(stream, 'latin1')).toString('latin1') : body!);
  }
  const all = [...objects.values()];
  const fonts = new Map<string, string[]>();
  for (const body of all)
    for (const [, name, id] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = objects.get(/\/ToUnicode (\d+) 0 R/.exec(objects.get(id!) ?? '')?.[1] ?? '') ?? '';
      const tables = [...map.matchAll(/<\w{4}> <\w{4}> \[([^\]]*)\]/g)].map(([, codes]) => codes!);
      const signs = tables.flatMap((codes) => [...codes.matchAll(/<([^>]*)>/g)].map(([, code]) => code!));
      fonts.set(
        name!,
        signs.map((code) => Buffer.from(code.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')),
      );
    }
  let font: string[] = [];
  let said = '';
  const drawn = all.find((body) => body.includes(' Tf') && body.includes(' TJ'))!;
  for (const [, name, shown] of drawn.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name) font = fonts.get(name)!;
    for (const [, hex] of (shown ?? '').matchAll(/<([0-9a-f]+)>/g))
      for (const [glyph] of hex!.matchAll(/.{4}/g)) said += font[Number.parseInt(glyph, 16)] ?? '?';
    if (shown) said += ' ';
  }
  return said;
}

describe('an invoice as PDF', () => {
  it('says who sold what to whom for how much', async () => {
    const text = textOf(await invoicePdf(messages('en-US'), invoice));
    for (const part of [
      'Höhle & Söhne GmbH',
      'Hauptstraße 5',
      'DE123',
      'TEST-A-000012',
      'fen (abc)',
      'Valley',
      'Test:',
    ])
      expect(text).toContain(part);
    for (const amount of ['$12.34', '$10.37', '$1.97', 'VAT 19%']) expect(text).toContain(amount);
  });
  it('says whom the payer wants it to be made out to', async () => {
    const billing = { name: 'Fen GmbH', address: ['Moorweg 3', '20095 Hamburg'], tax_id: 'DE811' };
    const content = { ...invoice.content, buyer: { ...invoice.content.buyer, billing } };
    const text = textOf(await invoicePdf(messages('en-US'), { ...invoice, content }));
    for (const part of ['Billed to', 'Fen GmbH', 'Moorweg 3', '20095 Hamburg', 'DE811', 'fen (abc)'])
      expect(text).toContain(part);
  });
  it('takes back what a credit note corrects', async () => {
    const content = { ...invoice.content, number: 'A-000013', corrects: 'A-000012', test: false, tax: null };
    const text = textOf(await invoicePdf(messages('en-US'), { ...invoice, kind: 'credit_note', content }));
    for (const part of ['Credit note', 'A-000012', '-$12.34']) expect(text).toContain(part);
    expect(text).not.toContain('Test:');
  });
  it('gives the same bytes again, in each language', async () => {
    for (const tag of ['en-US', 'de-DE', 'ar-SA']) {
      const [first, again] = [
        await invoicePdf(messages(tag), invoice),
        await invoicePdf(messages(tag), invoice),
      ];
      expect(first.equals(again)).toBe(true);
    }
  });
  it('has Arabic letters from a font that knows them, and no question marks', async () => {
    const pdf = await invoicePdf(messages('ar-SA'), invoice);
    expect(pdf.toString('latin1')).toContain('NotoSansArabic');
    expect(textOf(pdf)).toContain('12.34 US$');
    expect(textOf(pdf)).not.toContain('?');
  });
});

describe('the order of words', () => {
  it.each([
    ['ltr', 'paid 12.34 US$', ['paid', '12.34', 'US$']],
    ['ltr', 'server وادي كبير x', ['server', 'كبير', 'وادي', 'x']],
    ['rtl', 'دفع 12.34 US$ الآن', ['الآن', '12.34', 'US$', 'دفع']],
    ['rtl', '\u200f12.34 \u2066US$\u2069', ['12.34', 'US$']],
  ] as const)('in a line %s of %j', (dir, text, words) => {
    expect(visualOrder(text, dir)).toEqual(words);
  });
});
