import { z } from 'zod';
import { issueTicket } from '#db/servers/tickets.ts';
import type { AppServices } from '../../context.ts';
import { authenticate } from '../route/authenticate.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

const shape = z.object({
  server_id: z.string().regex(/^[0-9A-Za-z]{1,11}$/),
  hl: z.string().max(35).optional(),
});

/** Downloads a whole game server as one archive: issues a one-time address and redirects there. */
export function transferRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, '/servers/parcel', {
    page: ({ server_id, hl }, code) => {
      const query = new URLSearchParams({
        error: code,
        ...(typeof hl === 'string' && hl !== '' ? { hl } : {}),
      });
      const id = encodeURIComponent(typeof server_id === 'string' ? server_id : '');
      return `/servers/manage/${id}/options/billing?${query}`;
    },
    shape,
    async submit({ c, fields, now }) {
      const actor = await authenticate(c, now);
      const ticket = await sql.begin((tx) => issueTicket(tx, actor, fields.server_id, now));
      const address = `/transfers?ticket=${ticket}`;
      return { to: address, answer: { address } };
    },
  });
}
