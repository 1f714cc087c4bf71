import { type Access, whyNotActInTeam } from '../../catalogue/teams/rules.ts';
import type { RefusalCode } from '../../platform/errors.ts';

/** What a team may say about files from elsewhere in its modpack. Source: api-v3 §5.1. */
export const attributionKinds = [
  'license',
  'my_project',
  'special_permissions',
  'globally_allowed',
  'no_permission',
] as const;
export type AttributionKind = (typeof attributionKinds)[number];

/** What staff say about an answer. */
export const moderationKinds = ['approved', 'bad_proof', 'not_allowed'] as const;

const isModerator = ({ role }: Access): boolean => role === 'moderator' || role === 'admin';

/** Members who may upload versions, and moderators, see and answer. Hidden from everybody else. */
export const whyNotAttribute = (access: Access): RefusalCode | null =>
  isModerator(access) ? null : whyNotActInTeam(access, 'UPLOAD_VERSION');

/**
 * Why this answer may not be given: what counts for everybody, and decisions about answers, are of moderators; what staff have
 * refused for good stays refused.
 */
export function whyNotAnswer(
  access: Access,
  { kind, moderates, frozen }: { kind: AttributionKind; moderates: boolean; frozen: boolean },
): RefusalCode | null {
  const missing = whyNotAttribute(access);
  if (missing || isModerator(access)) return missing;
  if (frozen) return 'attribution_frozen';
  return moderates || kind === 'globally_allowed' ? 'moderators_only' : null;
}
