import { z } from 'zod';
import { orderMembers } from '#db/catalogue/members/order.ts';
import { max_team_members } from '#db/catalogue/members/rules.ts';
import { memberEditShape } from '#db/catalogue/members/shape.ts';
import { editMember, inviteMember, removeMember, transferTeam } from '#db/catalogue/members/write.ts';
import { markInvitationsRead } from '#db/messages/notifications/change.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { bitsOfFields, rightFields } from '../../platform/forms/rights.ts';
import { settingsPage, settingsPageOf } from '../../platform/forms/settings-page.ts';
import { plainNumber } from '../../platform/forms/typed-number.ts';
import { formRoute, withQuery } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { readOrder } from '../../platform/ui/sort-order.ts';

const { role, payouts_split } = memberEditShape.shape;
/** A weight as it is typed. */
const weight = z
  .string()
  .trim()
  .transform((text) => (text === '' ? 0 : Number(plainNumber(text))))
  .pipe(payouts_split.unwrap().unwrap());
const place = { team_id: idShape, page: settingsPage };
const grants = {
  role: role.unwrap().unwrap(),
  payouts_split: weight,
};
const withRights = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject(shape).transform((fields) => ({
    ...fields,
    permissions: bitsOfFields('permissions', fields),
    organization_permissions: bitsOfFields('organization_permissions', fields),
  }));
const common = {
  fields: ['username', 'role', 'payouts_split', ...rightFields],
  invalid: { role: 'team.role_invalid', payouts_split: 'team.weight_invalid' },
} as const;

export const inviteForm = defineForm({
  ...common,
  action: '/_internal/team/invite',
  shape: withRights({ ...place, ...grants, username: z.string().trim().min(1).max(39) }),
  errors: { user_unknown: 'username', already_in_team: 'username', already_invited: 'username' },
});

export const editMemberForm = defineForm({
  ...common,
  action: '/_internal/team/edit',
  shape: withRights({ ...place, ...grants, user_id: idShape }),
  errors: {},
});

export const orderMembersForm = defineForm({
  action: '/_internal/team/order',
  shape: z
    .object({ ...place, order: z.string(), move: z.string().optional() })
    .transform(({ order, move, ...fields }) => ({ ...fields, order: readOrder(order, move) }))
    .pipe(z.object({ ...place, order: z.array(idShape).max(max_team_members) })),
  fields: [],
  errors: {},
});

/** Removes a member or an invitation, and lets a member leave. */
export const removeMemberForm = defineForm({
  action: '/_internal/team/remove',
  shape: z.object({ ...place, user_id: idShape }),
  fields: [],
  errors: {},
});

export const transferForm = defineForm({
  action: '/_internal/team/transfer',
  shape: z.object({ ...place, new_owner: idShape }),
  fields: ['new_owner'],
  invalid: { new_owner: 'team.new_owner_missing' },
  errors: { new_owner_not_member: 'new_owner' },
});

const needs = ['PROJECT_WRITE'] as const;
/** The page of one member. */
const memberPage = (page: string, user_id: unknown): string =>
  idShape.safeParse(user_id).success ? `${page}?member=${user_id as string}` : page;

/** The forms of the members of a project or an organization. Source: screens §A.2, §A.4. */
export function teamMemberForms(api: Api, services: AppServices): void {
  const { sql } = services;
  formRoute(api, inviteForm, {
    needs,
    page: settingsPageOf,
    async run({ actor, fields: { team_id, page, username, permissions = 0, ...given }, now }) {
      const user = await userByIdOrName(services, username);
      if (user?.username.toLowerCase() !== username.toLowerCase()) throw new Refused('user_unknown');
      const { role, payouts_split, organization_permissions } = given;
      const more = { role: role.trim() || 'Member', payouts_split, organization_permissions, ordering: 0 };
      const { accepted } = await sql.begin((tx) =>
        inviteMember(tx, actor, team_id, { user_id: user.id, permissions, ...more }, now),
      );
      return { to: withQuery(page, { done: accepted ? 'joined' : 'invited' }) };
    },
  });

  formRoute(api, editMemberForm, {
    needs,
    page: (given) => memberPage(settingsPageOf(given), given.user_id),
    async run({
      actor,
      fields: { team_id, user_id, page, permissions, organization_permissions, ...given },
      now,
    }) {
      const change = {
        role: given.role.trim() || 'Member',
        payouts_split: given.payouts_split,
        permissions,
        organization_permissions,
      };
      await sql.begin((tx) => editMember(tx, actor, { team_id, user_id }, change, now));
      return { to: withQuery(memberPage(page, user_id), { saved: '1' }) };
    },
  });

  formRoute(api, orderMembersForm, {
    needs,
    page: settingsPageOf,
    async run({ actor, fields: { team_id, page, order } }) {
      await sql.begin((tx) => orderMembers(tx, actor, team_id, order));
      return { to: withQuery(page, { saved: '1' }) };
    },
  });

  formRoute(api, removeMemberForm, {
    needs,
    page: (given) => memberPage(settingsPageOf(given), given.user_id),
    async run({ actor, fields: { team_id, user_id, page } }) {
      await sql.begin(async (tx) => {
        await removeMember(tx, actor, { team_id, user_id });
        await markInvitationsRead(tx, { user_id }, team_id);
      });
      // who left may not see the page any more
      return {
        to: user_id === actor.user_id ? '/dashboard?done=left' : withQuery(page, { done: 'removed' }),
      };
    },
  });

  formRoute(api, transferForm, {
    needs,
    page: settingsPageOf,
    async run({ actor, fields: { team_id, page, new_owner } }) {
      await sql.begin((tx) => transferTeam(tx, actor, team_id, new_owner));
      return { to: withQuery(page, { done: 'transferred' }) };
    },
  });
}
