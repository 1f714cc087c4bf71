import type { MessageKey } from '#content/keys.ts';
import type { RosterRow } from '#db/catalogue/members/roster.ts';
import { type Team, whyNotGrant, whyNotRegrant, whyNotSetDefaults } from '#db/catalogue/members/rules.ts';
import type { RefusalCode } from '#db/platform/errors.ts';
import type { RightSet } from '../../platform/forms/rights.ts';

const words: Partial<Record<RefusalCode, MessageKey>> = {
  owner_permissions_fixed: 'team.locked_owner',
  permissions_exceeded: 'team.locked_more',
  organization_owner_kept: 'team.locked_organization_owner',
};

const nothing = { permissions: null, organization_permissions: null };

/**
 * Why none of the boxes of a member can be changed, in words; null when some can. Somebody who has more than the actor
 * keeps it: a form would have to give it again.
 */
export function lockOf(team: Team, member: RosterRow, set: RightSet): MessageKey | null {
  const now = { ...nothing, [set]: member[set] ?? 0 };
  const code =
    whyNotGrant(team, 'EDIT_MEMBER', now) ??
    whyNotSetDefaults(team, 'EDIT_MEMBER', now) ??
    whyNotRegrant({ member, organization: member.organization }, { ...nothing, [set]: 0 });
  return code && (words[code] ?? 'team.locked_permission');
}

/** Why the default project permissions of somebody new can't be set, in words. */
export const lockOfDefaults = (team: Team): MessageKey | null =>
  whyNotSetDefaults(team, 'MANAGE_INVITES', { ...nothing, permissions: 1 }) && 'team.locked_permission';
