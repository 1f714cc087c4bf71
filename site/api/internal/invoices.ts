import { Readable } from 'node:stream';
import { z } from 'zod';
import { messages } from '#content/messages.ts';
import { invoiceFor, invoicesOfYear, invoiceYearsOf } from '#db/money/billing/invoices/read.ts';
import { invoicesPerFile } from '#db/money/billing/invoices/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { invoicePdf, invoicesPdf } from '../../money/invoices/invoice-pdf.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { localeOf } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** Invoices and credit notes for whoever paid, and for administrators; others are told that there is none. */
export function invoiceRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/invoices/{file}',
    summary: 'An invoice or a credit note as PDF, in the language of the request',
    tag: 'internal',
    needs: ['SESSION_ACCESS'],
    params: z.object({ file: z.string().max(20) }),
    query: z.object({ hl: z.string().max(35).optional() }),
    async handle({ sql, params, query, actor, request }) {
      const id = /^([0-9A-Za-z]{1,11})\.pdf$/.exec(params.file)?.[1];
      const invoice = id ? await invoiceFor(sql, actor, id) : null;
      if (!invoice) throw new Refused('not_found');
      const body = await invoicePdf(messages(localeOf(request, query)), invoice);
      const name = invoice.number.replaceAll('/', '-');
      return new Response(new Uint8Array(body), {
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${name}.pdf"`,
          'cache-control': 'private, no-store',
        },
      });
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/invoices.pdf',
    summary: 'One’s invoices and credit notes of a year as one PDF, at most 1,000 a part',
    tag: 'internal',
    needs: ['SESSION_ACCESS'],
    query: z.object({
      year: z.coerce.number().int().min(2000).max(9999),
      part: z.coerce.number().int().min(1).max(1_000).default(1),
      hl: z.string().max(35).optional(),
    }),
    async handle({ sql, query, actor, request, now }) {
      const { year, part } = query;
      const texts = messages(localeOf(request, query));
      const held = (await invoiceYearsOf(sql, actor.user_id)).find((one) => one.year === year);
      const skipped = (part - 1) * invoicesPerFile;
      if (!held || skipped >= held.count) throw new Refused('not_found');
      const title = texts.t('billing.pdf_invoices', { year: String(year) });
      const all = invoicesOfYear(sql, actor.user_id, year, { skipped, limit: invoicesPerFile });
      const body = await invoicesPdf(texts, { title, created: now }, all);
      return new Response(Readable.toWeb(body as unknown as Readable) as ReadableStream, {
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="invoices-${year}${part > 1 ? `-${part}` : ''}.pdf"`,
          'cache-control': 'private, no-store',
        },
      });
    },
  });
}
