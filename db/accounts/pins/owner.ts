import type { Owner } from '../../catalogue/projects/by-owner.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** The pins of a user or an organization, as a condition on `pins`. */
export const pinsOf = (db: Db, owner: Owner) =>
  'user_id' in owner
    ? db`pins.user_id = ${owner.user_id}`
    : db`pins.organization_id = ${owner.organization_id}`;

/** The projects that it may pin, hidden ones too, as a condition on the project `p`. */
export const pinnable = (db: Db, owner: Owner) =>
  'user_id' in owner
    ? db`p.team in (select team_id from team_members where user_id = ${owner.user_id} and accepted)`
    : db`p.organization = ${owner.organization_id}`;
