import type PDFKit from 'pdfkit';
import type { Messages } from '#content/messages.ts';
import type { Invoice } from '#db/money/billing/invoices/read.ts';
import { ledgerAmount } from '../../hosting/checkout/price.ts';
import { exactDate } from '../../platform/text/dates.ts';
import type { Pen } from './pen.ts';

/** The margin of a page, in points. */
export const margin = 56;
const lead = 15;

/** What a document is written with. */
export interface Sheet {
  document: InstanceType<typeof PDFKit>;
  pen: Pen;
  messages: Messages;
}

/** Draws an invoice or a credit note on the current page of a PDF, in the language of `messages`. */
export function drawInvoice({ document, pen, messages }: Sheet, invoice: Invoice): void {
  const { t } = messages;
  const { content, kind, amount_minor, currency, issued } = invoice;
  const { operator, buyer, item, tax, corrects, test } = content;
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
  line(t(kind === 'invoice' ? 'billing.pdf_invoice' : 'billing.pdf_credit_note'), { size: 20, bold: true });
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
}
