import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../platform/people/rules.ts';

/** Accounts by e-mail address or name with what protects them, and files by hash. Source: specification §6. */
export const whyNotLookUp = (viewer: Actor | null): RefusalCode | null =>
  isModerator(viewer) ? null : 'moderators_only';

/** Why the viewer may not read what happened to the security of everybody's account, or null; everybody reads their own. */
export const whyNotReadSecurityLog = (viewer: Actor | null): RefusalCode | null =>
  isModerator(viewer) ? null : 'moderators_only';

/** What everybody did, staff included. */
export const whyNotReadAudit = (viewer: Actor | null): RefusalCode | null =>
  isAdmin(viewer) ? null : 'admins_only';

/** How large the installation is and what it does. */
export const whyNotSeeInstallation = (viewer: Actor | null): RefusalCode | null =>
  isAdmin(viewer) ? null : 'admins_only';

/** Addresses and places of people: moderators do without them. */
export const whyNotSeeContact = (viewer: Actor | null): RefusalCode | null =>
  isAdmin(viewer) ? null : 'admins_only';
