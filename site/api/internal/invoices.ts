import { z } from 'zod';
import { messages } from '#content/messages.ts';
import { invoiceFor } from '#db/billing/invoices/read.ts';
import { Refused } from '#db/errors.ts';
import { invoicePdf } from '../../invoices/invoice-pdf.ts';
import { authenticatedRoute } from '../route/endpoint.ts';
import { localeOf } from '../route/form.ts';
import type { Api } from '../route/types.ts';

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
}
