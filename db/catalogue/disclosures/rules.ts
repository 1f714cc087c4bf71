import type { RefusalCode } from '../../platform/errors.ts';
import type { Access } from '../teams/rules.ts';

/** What projects disclose. Source: api-v3 §2.7. */
export const disclosureTypes = [
  'ai_content',
  'advertisements',
  'epilepsy_triggers',
  'system_interactions',
  'telemetry',
  'derivative_work',
  'paid_features',
  'archived',
] as const;
export type DisclosureType = (typeof disclosureTypes)[number];

/** `cannot_disable`: members edit but do not remove it; `fully_locked`: they do neither. */
export const lockStatuses = ['unlocked', 'cannot_disable', 'fully_locked'] as const;
export type LockStatus = (typeof lockStatuses)[number];

export const aiUses = ['code', 'assets', 'text', 'functionality'] as const;
export const consents = ['opt_in', 'opt_out', 'always_active'] as const;

const moderates = ({ role }: Access): boolean => role === 'moderator' || role === 'admin';

/** Why a disclosure with this lock may not be set, or null; the permission is checked separately. */
export const whyNotSetDisclosure = (lock: LockStatus, access: Access): RefusalCode | null =>
  lock !== 'fully_locked' || moderates(access) ? null : 'disclosure_locked';

/** The same for its removal. */
export const whyNotRemoveDisclosure = (lock: LockStatus, access: Access): RefusalCode | null =>
  lock === 'unlocked' || moderates(access) ? null : 'disclosure_locked';

/** Why the lock of a disclosure may not be set, or null. */
export const whyNotLockDisclosure = (access: Access): RefusalCode | null =>
  moderates(access) ? null : 'moderators_only';

/** A disclosure by its type and the fields of that type. */
export interface StoredDisclosure {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** The values by which searches find a project with these disclosures. Source: api-v2 §3.1 (`disclosure_types`). */
export const searchedTypes = (disclosures: readonly StoredDisclosure[]): string[] =>
  disclosures.flatMap(({ type, data }) => {
    const kinds = type === 'ai_content' ? data.uses : type === 'telemetry' ? [data.consent] : [];
    return [type, ...((kinds ?? []) as string[]).map((kind) => `${type}_${kind}`)];
  });
