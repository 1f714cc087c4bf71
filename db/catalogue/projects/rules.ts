import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';
import { type Access, isMemberOrInvited, whyNotActInTeam } from '../teams/rules.ts';

/** Statuses in API responses; `archived` is never stored: it is status approved with the archived disclosure. */
export const statuses = [
  'approved',
  'archived',
  'unlisted',
  'private',
  'draft',
  'processing',
  'rejected',
  'withheld',
  'scheduled',
  'unknown',
] as const;
export type Status = (typeof statuses)[number];

/** Meaning of each status for outsiders. Source: api-behaviours §3 (groups), §4. */
interface StatusTraits {
  /** Was approved once: members change freely between these. */
  approved: boolean;
  /** In search, random picks and user pages. */
  searchable: boolean;
  /** Not found (404) for everyone but members and moderators. */
  hidden: boolean;
  /** May be requested as the status after approval. */
  requestable: boolean;
}
const traits = (
  approved: boolean,
  searchable: boolean,
  hidden: boolean,
  requestable: boolean,
): StatusTraits => ({
  approved,
  searchable,
  hidden,
  requestable,
});

export const statusTraits: Record<Status, StatusTraits> = {
  //               approved searchable hidden requestable
  approved: traits(true, true, false, true),
  archived: traits(true, true, false, false),
  unlisted: traits(true, false, false, true),
  private: traits(true, false, true, true),
  draft: traits(false, false, true, true),
  processing: traits(false, false, true, false),
  rejected: traits(false, false, true, false),
  withheld: traits(false, false, false, false),
  scheduled: traits(false, false, true, false),
  unknown: traits(false, false, true, false),
};

/** Statuses of versions that a project lists and gets its loaders, game versions and dates from. Source: api-behaviours §4. */
export const listedVersionStatuses = ['listed', 'archived'] as const;

const statusesWith = (kind: keyof StatusTraits) => statuses.filter((status) => statusTraits[status][kind]);
export const requestableStatuses = statusesWith('requestable');
export const hiddenStatuses = statusesWith('hidden');

/** The status in v2. v3 shows the stored one. Source: api-v2 §2.1. */
export const displayStatus = ({ status, archived }: { status: Status; archived: boolean }): Status =>
  status === 'approved' && archived ? 'archived' : status;

/** Who may make a transition: members with EDIT_DETAILS (some only with a public version) or moderators only. */
type AllowedMover = 'member' | 'member_with_version' | 'moderator';

const byModerators: Record<Status, AllowedMover> = {
  approved: 'moderator',
  archived: 'member', // changes the disclosure, not the status
  unlisted: 'moderator',
  private: 'moderator',
  draft: 'moderator',
  processing: 'moderator',
  rejected: 'moderator',
  withheld: 'moderator',
  scheduled: 'moderator',
  unknown: 'moderator',
};
const onceApproved: Record<Status, AllowedMover> = {
  ...byModerators,
  approved: 'member',
  unlisted: 'member',
  private: 'member',
  draft: 'member',
};
const notApproved: Record<Status, AllowedMover> = { ...byModerators, processing: 'member_with_version' };
/** Members take a project back from review: a move of ours, the reference has none. */
const underReview: Record<Status, AllowedMover> = { ...notApproved, draft: 'member' };

/** Transition table: from, to, by whom. Moderators may make every transition. Source: api-behaviours §3. */
const transitions: Record<Status, Record<Status, AllowedMover>> = {
  approved: onceApproved,
  archived: onceApproved,
  unlisted: onceApproved,
  private: onceApproved,
  draft: notApproved,
  processing: underReview,
  rejected: notApproved,
  withheld: notApproved,
  scheduled: notApproved,
  unknown: notApproved,
};

const isModerator = ({ role }: Access): boolean => role === 'moderator' || role === 'admin';

/**
 * Why this actor may not change a project from one status to another, or null. `has_version`: it has a listed or
 * archived one.
 * Source: api-behaviours §3.
 */
export function whyNotMove(
  from: Status,
  to: Status,
  { access, has_version }: { access: Access; has_version: boolean },
): RefusalCode | null {
  const missing = whyNotActInTeam(access, 'EDIT_DETAILS');
  if (missing || isModerator(access)) return missing;
  const mover = transitions[from][to];
  if (mover === 'moderator') return 'move_refused';
  return mover === 'member_with_version' && !has_version ? 'version_required' : null;
}

export const monetizationStatuses = ['monetized', 'demonetized', 'force-demonetized'] as const;
export type MonetizationStatus = (typeof monetizationStatuses)[number];

export const slugPattern = /^[a-zA-Z0-9._-]+$/;

/** Hidden projects do not exist for outsiders; pending invitees count as members. Source: api-behaviours §4. */
export function whyNotSeeProject(status: Status, access: Access): RefusalCode | null {
  if (!statusTraits[status].hidden || isMemberOrInvited(access) || isModerator(access)) return null;
  return 'not_found';
}

/** Visibility in a user's list: searchable projects, and the others for their members. Source: api-behaviours §4. */
export function whyNotListProject(status: Status, access: Access): RefusalCode | null {
  return statusTraits[status].searchable || isMemberOrInvited(access) || isModerator(access)
    ? null
    : 'not_found';
}

/**
 * Why the actor may not edit this project together with others: it takes a place in the project's own team, that of its
 * organization is not enough. Source: api-v2 §4.3.
 */
export function whyNotEditTogether(access: Access): RefusalCode | null {
  if (isModerator(access)) return null;
  return whyNotActInTeam({ ...access, organization: null }, 'EDIT_DETAILS');
}

/** 3 to 64 of letters, digits, dot, underscore, hyphen; stored in lower case. Source: api-v2 §1.2. */
export function whyNotUseSlug(text: string): RefusalCode | null {
  return text.length >= 3 && text.length <= 64 && slugPattern.test(text) ? null : 'slug_invalid';
}

/** The status after approval, null for none. Source: api-behaviours §3. */
export function whyNotRequestStatus(status: Status | null): RefusalCode | null {
  return status === null || statusTraits[status].requestable ? null : 'requested_status_invalid';
}

/**
 * Why the actor may not have a project change to the status `to` at `time`, or null. Only what was approved is released by
 * itself; a project that waits already may get another time. Source: api-behaviours §3, §17 (13).
 */
export function whyNotScheduleProject(
  { status, approved_once }: { status: Status; approved_once: boolean },
  { to, time, now }: { to: Status; time: Date; now: Date },
  access: Access,
): RefusalCode | null {
  const why = whyNotActInTeam(access, 'EDIT_DETAILS') ?? whyNotRequestStatus(to);
  if (why) return why;
  const released = statusTraits[status].approved || (status === 'scheduled' && approved_once);
  if (!released) return 'schedule_unapproved';
  return time > now ? null : 'schedule_past';
}

/** A new project goes to review if it has a version, or stays a draft. Source: api-behaviours §3. */
export function whyNotStartProject({
  is_draft,
  versions,
}: {
  is_draft: boolean;
  versions: number;
}): RefusalCode | null {
  return is_draft || versions > 0 ? null : 'version_required';
}

/** Maximum projects that a user owns; unlimited for admins. Source: api-v2 §1.8. */
export const perPerson = 256;

/** Whether a user who owns `owned` projects may create another one. Source: api-v2 §1.8, §4.1. */
export function whyNotCreateProject(owned: number, actor: Actor): RefusalCode | null {
  if (!actor.email_verified) return 'email_unverified';
  return owned < perPerson || isAdmin(actor) ? null : 'limit_reached';
}

/** Only moderators force or lift demonetization. Source: api-v2 §4.2. */
export function whyNotMonetizeProject(
  from: MonetizationStatus,
  to: MonetizationStatus,
  access: Access,
): RefusalCode | null {
  const missing = whyNotActInTeam(access, 'EDIT_DETAILS');
  if (missing || isModerator(access)) return missing;
  return from === 'force-demonetized' || to === 'force-demonetized' ? 'moderators_only' : null;
}

/** Moderators write to the members; members may clear the message once the project is approved. Source: api-v2 §4.2. */
export function whyNotSetModerationMessage(
  status: Status,
  text: string | null,
  access: Access,
): RefusalCode | null {
  const missing = whyNotActInTeam(access, 'EDIT_DETAILS');
  if (missing || isModerator(access)) return missing;
  return text === null && statusTraits[status].approved ? null : 'moderators_only';
}

/** How often the fields of a project were changed, and the revision that changed each column last. */
export interface Revisions {
  revision: number;
  field_revisions: Readonly<Record<string, number>>;
}

/** The revision that a caller read before the edit: of the whole project (If-Match), or of what the edit changes (forms). */
export interface ExpectedRevision {
  revision: number;
  of: 'project' | 'columns';
}

/** Why an edit of these columns may not be saved over what was changed after the caller read the project, or null. */
export function whyNotSaveOver(
  { revision, field_revisions }: Revisions,
  expected: ExpectedRevision | null,
  columns: readonly string[],
): RefusalCode | null {
  if (expected === null) return null;
  const isNewer =
    expected.of === 'project'
      ? revision !== expected.revision
      : columns.some((column) => (field_revisions[column] ?? 0) > expected.revision);
  return isNewer ? 'revision_conflict' : null;
}

/** Why a project is not deleted by somebody who typed `given` for its name, or null. */
export const whyNotConfirmName = (title: string, given: string): RefusalCode | null =>
  title.trim() === given.trim() ? null : 'project_name_differs';

/** What the rules about the environment know of a project. */
interface Environments {
  project_types: readonly string[];
  environments: readonly string[];
}

/**
 * Why the environment of all versions of a project is not set at once, or null: only mods and modpacks have one, and
 * versions with different ones are edited each by itself. Source: specification §4 (environment options), §5.
 */
export function whyNotSetEnvironment({ project_types, environments }: Environments): RefusalCode | null {
  if (project_types.length === 0) return 'environment_versions';
  if (!project_types.some((type) => type === 'mod' || type === 'modpack')) return 'environment_type';
  return environments.length > 1 ? 'environment_several' : null;
}

/** Why the environment is not confirmed, or null: there has to be one. Source: specification §4. */
export const whyNotVerifyEnvironment = (project: Environments): RefusalCode | null =>
  whyNotSetEnvironment(project) ??
  (project.environments.length === 1 && project.environments[0] !== 'unknown' ? null : 'environment_unknown');
/** The place of a project in the review queue, from 1, and how many projects were decided within `reviewWindow_ms`. */
export interface ReviewPace {
  position: number;
  waiting: number;
  decisions: number;
}
export const reviewWindow_ms = 28 * 86_400_000;
const fewest_decisions = 10;

/** How many days a review will take at the pace of the last four weeks, at least one; null when too little is known. */
export const estimatedReviewDays = ({ position, decisions }: ReviewPace): number | null =>
  decisions < fewest_decisions
    ? null
    : Math.max(1, Math.ceil((position * reviewWindow_ms) / decisions / 86_400_000));
