import type { RefusalCode } from '../errors.ts';
import { type Actor, ghostId, isAdmin, isModerator, type Role } from './rules.ts';

/** An account as these rules see it. */
interface Subject {
  id: string;
  role: Role;
}

/** When a suspension without an end ends: screens and refusals say that it has none. */
export const forever = new Date('9999-12-31T00:00:00Z');
export const isForever = (until: string | Date): boolean => new Date(until) >= forever;

/** Moderators suspend accounts of others, and only administrators those of staff. Source: specification §6. */
export function whyNotSuspend({ id, role }: Subject, actor: Actor): RefusalCode | null {
  if (!isModerator(actor)) return 'moderators_only';
  if (id === ghostId) return 'ghost_user';
  if (id === actor.user_id) return 'suspending_yourself';
  return role === 'developer' || isAdmin(actor) ? null : 'admins_only';
}

/** Why an account may not stop being one of an administrator who can act: nobody would be left. */
export const whyNotLoseAdmin = ({ role }: Subject, others: number): RefusalCode | null =>
  role === 'admin' && others === 0 ? 'last_admin' : null;

/** A suspension ends later, if at all. */
export const whyNotUntil = (until: Date, now: Date): RefusalCode | null =>
  until > now ? null : 'suspension_over';
