import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { launcherAddress, launcherPath, loopbackUrl } from '../../platform/paths/sign-in-path.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { openSessionBeside } from '../providers/open-session.server.ts';
import { withQuery } from '../providers/return-address.ts';

export const launcherForm = defineForm({
  action: '/_internal/auth/launcher',
  shape: z.object({ port: z.string().max(16), ipver: z.string().max(16) }),
  fields: [],
  errors: {},
});

const queryOf = (given: { port?: unknown; ipver?: unknown }): URLSearchParams =>
  new URLSearchParams({ launcher: 'true', port: String(given.port), ipver: String(given.ipver) });

/**
 * Hands a new session, not that of the browser, to a launcher on this computer: the browser goes to its address with
 * `code`. Refuses `launcher_address`. Source: clients §2; specification §7.
 */
export function launcherRoutes(api: Api, services: AppServices): void {
  formRoute(api, launcherForm, {
    needs: ['SESSION_ACCESS'],
    page: (given) => launcherPath(queryOf(given)) ?? '/auth/sign-in',
    async run({ c, actor: { user_id }, fields, now }) {
      const address = launcherAddress(queryOf(fields));
      if (!address) throw new Refused('launcher_address');
      const call = { request: c.req.raw, address: c.get('address') };
      const { session } = await openSessionBeside(services, { user_id, ...call, now });
      return { away: withQuery(loopbackUrl(address), { code: session }) };
    },
  });
}
