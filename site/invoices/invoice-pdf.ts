import { languageRows, type Messages } from '#content/messages.ts';
import type { Invoice } from '#db/billing/invoices/read.ts';
import { ledgerAmount } from '../servers/checkout/price.ts';
import { exactDate } from '../text/dates.ts';
import { openPen } from './pen.ts';

const margin = 56;
const lead = 15;

/**
 * An invoice or a credit note as a PDF of one page, in the language of `messages`. The same invoice in the same language gives
 * the same bytes. pdfkit takes 13 MB, so it is loaded when the first one is asked for.
 */
export async function invoicePdf(messages: Messages, invoice: Invoice): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const { t } = messages;
  const dir = languageRows.find(({ tag }) => tag === messages.locale)?.dir ?? 'ltr';
  const { content, kind, amount_minor, currency, issued } = invoice;
  const { operator, buyer, item, tax, corrects, test } = content;
  const title = t(kind === 'invoice' ? 'billing.pdf_invoice' : 'billing.pdf_credit_note');
  const document = new PDFDocument({
    size: 'A4',
    margin,
    lang: messages.locale,
    info: {
      Title: `${title} ${content.number}`,
      CreationDate: new Date(issued),
      Producer: 'Cairn',
      Creator: 'Cairn',
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  const pen = await openPen(document, dir);
  const width = document.page.width - 2 * margin;
  const money = (minor: number) => ledgerAmount(messages, minor, currency);
  const date = (text: string) => exactDate(messages, text.slice(0, 10));
  let y = margin;
  const line = (text: string, style: { size?: number; bold?: boolean } = {}) => {
    pen.line(text, margin, y, { ...style, width });
    y += lead * Math.max(1, (style.size ?? 10) / 10);
  };
  const row = (name: string, value: string, bold = false) => {
    pen.line(name, margin, y, { bold, width: width * 0.68 });
    pen.line(value, margin + width * 0.7, y, { bold, width: width * 0.3, align: 'end' });
    y += lead * 1.2;
  };
  const rule = () => {
    document
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.5)
      .strokeColor('#999')
      .stroke();
    y += lead * 0.6;
  };

  line(operator.name, { size: 16, bold: true });
  for (const text of operator.address) line(text);
  if (operator.tax_id) line(t('billing.pdf_tax_id', { id: operator.tax_id }));
  y += lead;
  line(title, { size: 20, bold: true });
  if (test) line(t('billing.pdf_test'), { bold: true });
  row(t('billing.pdf_number'), content.number);
  if (corrects) row(t('billing.pdf_corrects'), corrects);
  row(t('billing.pdf_date'), date(issued));
  row(t('billing.pdf_customer'), `${buyer.name} (${buyer.id})`);
  if (buyer.billing) {
    const { name, address, tax_id } = buyer.billing;
    y += lead * 0.5;
    line(t('billing.pdf_billed_to'), { bold: true });
    for (const text of [name, ...address]) if (text) line(text);
    if (tax_id) line(t('billing.pdf_tax_id', { id: tax_id }));
  }
  y += lead;
  rule();
  const what = item.product === 'Plus' ? item.product : t('billing.pdf_product', { product: item.product });
  const sign = kind === 'invoice' ? 1 : -1;
  row(item.name ? `${what}: ${item.name}` : what, money(sign * amount_minor));
  line(t('buying.payment_period', { from: date(item.period_start), to: date(item.period_end) }));
  y += lead * 0.5;
  rule();
  if (tax) {
    const rate = new Intl.NumberFormat(messages.formatting, { maximumFractionDigits: 3 }).format(
      tax.rate / 1000,
    );
    row(t('billing.pdf_net'), money(sign * (amount_minor - tax.tax_minor)));
    row(t('billing.pdf_tax', { name: tax.name, rate }), money(sign * tax.tax_minor));
  }
  row(t('billing.pdf_total'), money(sign * amount_minor), true);
  y += lead;
  line(t(kind === 'invoice' ? 'billing.pdf_paid' : 'billing.pdf_given_back'));
  document.end();
  await done;
  return Buffer.concat(chunks);
}
