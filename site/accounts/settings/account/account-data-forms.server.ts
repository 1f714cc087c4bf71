import { Readable } from 'node:stream';
import { z } from 'zod';
import { removeOwnAccount } from '#db/accounts/account/remove.ts';
import { exportText } from '#db/accounts/data-export/export-text.ts';
import { beginExport } from '#db/accounts/data-export/write.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { authCookies } from '../../../platform/http/cookies.ts';
import { authenticatedRoute } from '../../../platform/route/endpoint.ts';
import { formRoute } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';

export const exportDataForm = defineForm({
  action: '/_internal/account/export',
  shape: z.object({}),
  fields: [],
  errors: {},
});

export const deleteAccountForm = defineForm({
  action: '/_internal/account/delete',
  shape: z.object({ username: z.string().max(100) }),
  fields: ['username'],
  errors: { username_mismatch: 'username' },
});

const page = '/settings/account';

/** What leaves with its user: the export of one's data, and the end of the account. Source: api-v3 §7 (gdpr/export). */
export function accountDataRoutes(api: Api, services: AppServices): void {
  const { sql, settings, storage, queue, log } = services;

  authenticatedRoute(api, {
    method: 'post',
    path: '/gdpr/export',
    summary: 'Everything stored about you',
    tag: 'internal',
    needs: ['SESSION_ACCESS'],
    handle: async ({ actor, begin, now }) => {
      await begin((tx) => beginExport(tx, actor, now, 'streamed'));
      const text = Readable.from(exportText(services, actor.user_id), { objectMode: false });
      const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };
      return new Response(Readable.toWeb(text) as ReadableStream, { headers });
    },
  });

  formRoute(api, exportDataForm, {
    needs: ['SESSION_ACCESS'],
    page,
    async run({ actor, now }) {
      const board = await queue();
      await sql.begin(async (tx) => {
        const export_id = await beginExport(tx, actor, now);
        await board.enqueue(tx, 'export_data', { export_id });
      });
      return { to: `${page}?export=begun#export` };
    },
  });

  formRoute(api, deleteAccountForm, {
    needs: ['USER_DELETE'],
    page: `${page}/delete`,
    async run({ actor, fields: { username }, now }) {
      const prefixes = await sql.begin((tx) => removeOwnAccount(tx, actor, username, now));
      for (const prefix of prefixes)
        await storage.removeAll(prefix).catch((err: unknown) => {
          log.warn({ err, user_id: actor.user_id }, 'A file of a deleted user could not be removed');
        });
      return { to: '/auth/farewell', cookies: authCookies(null, settings.SITE_URL) };
    },
  });
}
