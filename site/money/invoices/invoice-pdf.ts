import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { languageRows, type Messages } from '#content/messages.ts';
import type { Invoice } from '#db/money/billing/invoices/read.ts';
import { drawInvoice, margin, type Sheet } from './invoice-page.ts';
import { openPen } from './pen.ts';

/** How an invoice is called, or a credit note: with its number. */
const titleOf = ({ t }: Messages, { kind, number }: Invoice): string =>
  `${t(kind === 'invoice' ? 'billing.pdf_invoice' : 'billing.pdf_credit_note')} ${number}`;

/**
 * An invoice or a credit note as a PDF of one page, in the language of `messages`. The same invoice in the same language gives
 * the same bytes.
 */
export async function invoicePdf(messages: Messages, invoice: Invoice): Promise<Buffer> {
  const sheet = await openSheet(messages, {
    title: titleOf(messages, invoice),
    created: new Date(invoice.issued),
  });
  drawInvoice(sheet, invoice);
  sheet.document.end();
  return await buffer(sheet.document);
}

/**
 * Invoices and credit notes as one PDF with a page for each, in their order, while they are read; it stops when its reader
 * leaves. Fonts are read and stored once, which is most of the work of a single one.
 */
export async function invoicesPdf(
  messages: Messages,
  about: { title: string; created: Date },
  invoices: AsyncIterable<Invoice>,
): Promise<Sheet['document']> {
  const sheet = await openSheet(messages, about);
  void drawAll(sheet, invoices);
  return sheet.document;
}

async function drawAll(sheet: Sheet, invoices: AsyncIterable<Invoice>): Promise<void> {
  const { document } = sheet;
  try {
    let is_first = true;
    for await (const invoice of invoices) {
      if (document.destroyed) return;
      if (!is_first) document.addPage();
      is_first = false;
      drawInvoice(sheet, invoice);
      // others have their turn
      await setImmediate();
    }
    document.end();
  } catch (error) {
    document.destroy(error as Error);
  }
}

/** An empty document. pdfkit takes 13 MB, so it is loaded when the first one is asked for. */
async function openSheet(
  messages: Messages,
  { title, created }: { title: string; created: Date },
): Promise<Sheet> {
  const { default: PDFDocument } = await import('pdfkit');
  const dir = languageRows.find(({ tag }) => tag === messages.locale)?.dir ?? 'ltr';
  const document = new PDFDocument({
    size: 'A4',
    margin,
    lang: messages.locale,
    info: { Title: title, CreationDate: created, Producer: 'Cairn', Creator: 'Cairn' },
  });
  return { document, pen: await openPen(document, dir), messages };
}
