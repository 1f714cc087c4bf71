import { z } from 'zod';
import { declineInvitation, joinTeam } from '#db/catalogue/members/write.ts';
import { markAllRead, markGroupRead, markInvitationsRead } from '#db/messages/notifications/change.ts';
import { siteTypes } from '#db/messages/notifications/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** A group of notifications: `project:ID`, `thread:ID`, or the id of one. */
const key = z.string().regex(/^([a-z]+:)?[A-Za-z0-9]{1,11}$/);
const pages = [
  '/dashboard',
  '/dashboard/notifications',
  '/dashboard/notifications/history',
  '/dashboard/organizations',
] as const;
/** The page with the button. */
const page = z.enum(pages).catch('/dashboard/notifications');
const pageOf = (given: Record<string, unknown>): string => page.parse(given.page);

export const readNotificationsForm = defineForm({
  action: '/_internal/notifications/read',
  shape: z.object({ key }),
  fields: [],
  errors: {},
});

export const readAllNotificationsForm = defineForm({
  action: '/_internal/notifications/read-all',
  shape: z.object({ type: z.enum(siteTypes).optional() }),
  fields: [],
  errors: {},
});

const acceptFailed = { text: 'notifications.accept_failed' } as const;
export const acceptInvitationForm = defineForm({
  action: '/_internal/notifications/accept',
  shape: z.object({ team_id: idShape, page }),
  fields: [],
  errors: { not_invited: acceptFailed, already_in_team: acceptFailed, not_found: acceptFailed },
});

const declineFailed = { text: 'notifications.decline_failed' } as const;
export const declineInvitationForm = defineForm({
  action: '/_internal/notifications/decline',
  shape: z.object({ team_id: idShape, page }),
  fields: [],
  errors: { not_invited: declineFailed, already_in_team: declineFailed, not_found: declineFailed },
});

/** The forms of the lists of notifications. Source: specification §8 (team invitations). */
export function notificationFormRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, readNotificationsForm, {
    needs: ['NOTIFICATION_WRITE'],
    page: pageOf,
    async run({ actor, fields }) {
      await markGroupRead(sql, actor, fields.key);
      return {};
    },
  });

  formRoute(api, readAllNotificationsForm, {
    needs: ['NOTIFICATION_WRITE'],
    page: pageOf,
    async run({ actor, fields: { type = null } }) {
      await markAllRead(sql, actor, type);
      return {};
    },
  });

  formRoute(api, acceptInvitationForm, {
    needs: ['PROJECT_WRITE', 'NOTIFICATION_WRITE'],
    page: pageOf,
    async run({ actor, fields }) {
      await sql.begin(async (tx) => {
        await joinTeam(tx, actor, fields.team_id);
        await markInvitationsRead(tx, actor, fields.team_id);
      });
      return { to: `${fields.page}?done=joined` };
    },
  });

  formRoute(api, declineInvitationForm, {
    needs: ['PROJECT_WRITE', 'NOTIFICATION_WRITE'],
    page: pageOf,
    async run({ actor, fields }) {
      await sql.begin(async (tx) => {
        await declineInvitation(tx, actor, fields.team_id);
        await markInvitationsRead(tx, actor, fields.team_id);
      });
      return { to: `${fields.page}?done=declined` };
    },
  });
}
