import { z } from 'zod';
import { setBanner } from '#db/accounts/account/avatar.ts';
import { editUser } from '#db/accounts/account/edit.ts';
import { vouchForEmail } from '#db/accounts/account/email.ts';
import { accountIdOf } from '#db/moderation/staff/account.ts';
import { whyNotLookUp } from '#db/moderation/staff/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { roles } from '#db/platform/people/rules.ts';
import { endSessionsOf } from '#db/platform/people/session-list.ts';
import { restoreUser, suspendUser } from '#db/platform/people/suspend.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape, nonBlankText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { bytesOfText, formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** The badges that administrators give, by their bits. Source: api-v2 §2.3. */
export const givenBadges = [1, 2, 4, 8, 16, 32, 64, 128] as const;
/** How long a suspension may be offered to last, in days; 0 has no end. */
export const suspensionDays = [1, 3, 7, 30, 90, 365, 0] as const;
const reason_limit = 2000;

export const lookUpForm = defineForm({
  action: '/_internal/staff/look-up',
  shape: z.object({ email: z.string().trim().min(1).max(254) }),
  fields: ['email'],
  errors: { user_unknown: 'email' },
});

const user = idShape;
export const rankForm = defineForm({
  action: '/_internal/staff/rank',
  shape: z
    .object({ user, role: z.enum(roles) })
    .catchall(z.unknown())
    .transform(({ user, role, ...others }) => ({
      user,
      role,
      badges: givenBadges.reduce((sum, bit) => sum + (others[`badge_${bit}`] === 'on' ? bit : 0), 0),
    })),
  fields: ['role'],
  errors: { last_admin: 'role' },
});

export const suspendForm = defineForm({
  action: '/_internal/staff/suspend',
  shape: z.object({
    user,
    reason: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trim())
      .pipe(nonBlankText(1, reason_limit)),
    days: z.coerce.number().pipe(z.literal([...suspensionDays])),
  }),
  fields: ['reason', 'days'],
  errors: {},
});

export const restoreForm = defineForm({
  action: '/_internal/staff/restore',
  shape: z.object({ user }),
  fields: [],
  errors: {},
});

export const endSessionsForm = defineForm({
  action: '/_internal/staff/end-sessions',
  shape: z.object({ user }),
  fields: [],
  errors: {},
});

export const vouchForm = defineForm({
  action: '/_internal/staff/verify-email',
  shape: z.object({ user, email: z.string().max(254) }),
  fields: [],
  errors: {},
});

export const removeBannerForm = defineForm({
  action: '/_internal/staff/remove-banner',
  shape: z.object({ user }),
  fields: [],
  errors: {},
});

const accountPath = (given: Record<string, unknown>): string =>
  idShape.safeParse(given.user).success ? `/admin/user/${String(given.user)}` : '/admin/user_email';

/** What staff do with accounts: each asks the rule of the write, which the audit log keeps. */
export function staffAccountRoutes(api: Api, services: AppServices): void {
  const { sql } = services;

  formRoute(api, lookUpForm, {
    needs: ['SESSION_ACCESS'],
    page: '/admin/user_email',
    async run({ actor, fields: { email } }) {
      assertAllowed(whyNotLookUp(actor));
      const id = await accountIdOf(services, email);
      if (!id) throw new Refused('user_unknown');
      return { to: `/admin/user/${id}` };
    },
  });

  formRoute(api, rankForm, {
    needs: ['SESSION_ACCESS'],
    page: accountPath,
    async run({ actor, fields: { user: id, role, badges }, now }) {
      await sql.begin((tx) => editUser(tx, actor, id, { role, badges }, now));
      return { to: `/admin/user/${id}?done=ranked` };
    },
  });

  formRoute(api, suspendForm, {
    needs: ['SESSION_ACCESS'],
    limit_bytes: bytesOfText(reason_limit),
    page: accountPath,
    async run({ actor, fields: { user: id, reason, days }, now }) {
      const until = days === 0 ? null : new Date(now.getTime() + days * 86_400_000);
      await sql.begin((tx) => suspendUser(tx, actor, id, { reason, until, now }));
      return { to: `/admin/user/${id}?done=suspended` };
    },
  });

  formRoute(api, restoreForm, {
    needs: ['SESSION_ACCESS'],
    page: accountPath,
    async run({ actor, fields: { user: id }, now }) {
      await sql.begin((tx) => restoreUser(tx, actor, id, now));
      return { to: `/admin/user/${id}?done=restored` };
    },
  });

  formRoute(api, removeBannerForm, {
    needs: ['SESSION_ACCESS'],
    page: accountPath,
    async run({ actor, fields: { user: id }, now }) {
      const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;
      await setBanner(begin, services.storage, { actor, user_id: id, now }, null);
      return { to: `/admin/user/${id}?done=banner_removed` };
    },
  });

  formRoute(api, vouchForm, {
    needs: ['SESSION_ACCESS'],
    page: accountPath,
    async run({ actor, fields: { user: id, email }, now }) {
      await sql.begin((tx) => vouchForEmail(tx, { user_id: id, email, actor, now }));
      return { to: `/admin/user/${id}?done=verified` };
    },
  });

  formRoute(api, endSessionsForm, {
    needs: ['SESSION_ACCESS'],
    page: accountPath,
    async run({ actor, fields: { user: id }, now }) {
      await sql.begin((tx) => endSessionsOf(tx, { user_id: id, actor, now }));
      return { to: `/admin/user/${id}?done=signed_out` };
    },
  });
}
