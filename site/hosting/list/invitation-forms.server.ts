import { z } from 'zod';
import { answerInvitation } from '#db/hosting/servers/people/invitations.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const pages = [
  '/dashboard',
  '/dashboard/notifications',
  '/dashboard/notifications/history',
  '/dashboard/organizations',
  '/servers/manage',
] as const;
/** The page with the button. */
const page = z.enum(pages).catch('/servers/manage');
const pageOf = (given: Record<string, unknown>): string => page.parse(given.page);
const shape = z.object({ server_id: idShape, page });

export const acceptServerForm = defineForm({
  action: '/_internal/servers/invitations/accept',
  shape,
  fields: [],
  errors: { server_not_invited: { text: 'notifications.accept_failed' } },
});

export const declineServerForm = defineForm({
  action: '/_internal/servers/invitations/decline',
  shape,
  fields: [],
  errors: { server_not_invited: { text: 'notifications.decline_failed' } },
});

/** The answers to invitations to servers, from notifications and from the list of servers. */
export function serverInvitationRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, acceptServerForm, {
    needs: ['SERVER_WRITE'],
    page: pageOf,
    async run({ actor, fields: { server_id, ...fields }, now }) {
      await sql.begin((tx) => answerInvitation(tx, actor, { server_id, answer: 'accept' }, now));
      return { to: `${fields.page}?done=server_joined` };
    },
  });

  formRoute(api, declineServerForm, {
    needs: ['SERVER_WRITE'],
    page: pageOf,
    async run({ actor, fields: { server_id, ...fields }, now }) {
      await sql.begin((tx) => answerInvitation(tx, actor, { server_id, answer: 'decline' }, now));
      return { to: `${fields.page}?done=declined` };
    },
  });
}
