import type { RefusalCode } from '../../platform/errors.ts';
import type { EndedAccess } from '../../platform/people/rules.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';

/** `amount` is in minor units of `currency` (USD: cents); `service` is the name of the server, null for Plus. */
interface PaidService {
  username: string;
  amount: number;
  currency: string;
  service: string | null;
}
/** A card as it may be displayed. */
export interface PaidCard {
  brand: string;
  last_four: string;
}

/**
 * What each mail needs to be written, by template. `link` is a path of this site; a path that holds a secret appears in no
 * list and no log. `name` is that of a project or organization. Templates are in `content/mails`. Source: api-behaviours §9.
 */
export interface MailData {
  verify_email: { username: string; link: string };
  /** To the old address. */
  email_changed: { username: string; new_email: string };
  reset_password: { username: string; link: string };
  /** `ended`: what of the account ended with it. */
  password_changed: { username: string; ended: EndedAccess };
  password_removed: { username: string; ended: EndedAccess };
  two_factor_enabled: { username: string; ended: EndedAccess };
  two_factor_removed: { username: string; ended: EndedAccess };
  passkey_added: { username: string; name: string };
  passkey_removed: { username: string; name: string };
  auth_provider_added: { username: string; provider: string };
  auth_provider_removed: { username: string; provider: string };
  /** `device` and `place` are null where unknown; `at` is RFC 3339. */
  new_sign_in: {
    username: string;
    device: string | null;
    ip: string | null;
    place: string | null;
    at: string;
  };
  pat_created: { username: string; token_name: string };
  /** Money goes to another address than before. */
  payout_address: { username: string; method: string; address: string };
  /** To who has become staff: `until` is a day (UTC), from which on the role counts no more without a second factor. */
  staff_factor: { username: string; until: string };
  /** Somebody guessed in vain who the user of a session is, until it ended. */
  session_guessed: { username: string };
  /** Somebody signed up with the address of this account, or wanted it for theirs. */
  sign_up_attempted: { username: string };
  newsletter_confirm: { link: string };
  /** An article of the news, in the language it is written in. */
  newsletter: { title: string; summary: string; link: string };
  payment_failed: PaidService & {
    card: PaidCard | null;
    /** Why, as `Outcome.failure`. */
    reason: string | null;
    /** When it is tried again, the service stops, and its files are deleted; null for what never comes. */
    next_attempt: string | null;
    stops: string | null;
    deleted: string | null;
    link: string;
  };
  payment_unconfirmed: PaidService & { stops: string | null; deleted: string | null; link: string };
  /** A payment succeeded. `invoice` is null where none was issued; `paid_until` is the end of the period. */
  receipt: PaidService & {
    card: PaidCard | null;
    invoice: { number: string; link: string } | null;
    paid_until: string;
    link: string;
  };
  /** Money of a payment was given back. */
  refund_made: PaidService & { credit_note: { number: string; link: string } | null; link: string };
  /** A year is about to be charged, at `at`. */
  renewal_soon: PaidService & { card: PaidCard | null; at: string; link: string };
  /** A server that was ordered can be joined. */
  server_ready: { username: string; service: string; address: string | null; link: string };
  /** `reason` is a `GraceReason`; `deleted` is when its files are deleted. */
  server_suspended: { username: string; service: string; reason: string; deleted: string; link: string };
  deletion_soon: { username: string; service: string; at: string; link: string };
  /** `until` is the end of what is paid for; `deleted` is null for Plus. */
  subscription_cancelled: {
    username: string;
    service: string | null;
    until: string;
    deleted: string | null;
    link: string;
  };
  /** Over for good, the server with its files and backups too. */
  subscription_ended: { username: string; service: string | null; link: string };
  /** `amount` is in minor units of USD; `method` and `address` are where the money goes. */
  payout_requested: { username: string; amount: number; method: string; address: string; link: string };
  payout_settled: {
    username: string;
    amount: number;
    state: 'success' | 'failed' | 'cancelled';
    link: string;
  };
  /** `kind` is a `TakedownKind`; `reference` is empty without one; members answer at `link`. */
  project_taken_down: {
    username: string;
    name: string;
    kind: string;
    reason: string;
    reference: string;
    link: string;
  };
  project_shown_again: { username: string; name: string; link: string };
  /** `service` as above; `state_of` is the time of its backup, RFC 3339; `address` is where players reach it now. */
  server_rescued: {
    username: string;
    service: string;
    state_of: string | null;
    address: string | null;
    link: string;
  };
  /** Addresses as players type them. */
  server_port: { username: string; service: string; before: string; after: string; link: string };
  /** `state_of` is null without a backup; `money`: what canceling does with the paid time, null when nothing is paid. */
  server_lost: {
    username: string;
    service: string;
    state_of: string | null;
    money: 'refundable' | 'lost' | null;
    link: string;
  };
  project_update: { username: string; name: string; version: string; link: string };
  team_invite: { username: string; invited_by: string; name: string; role: string; link: string };
  organization_invite: { username: string; invited_by: string; name: string; role: string; link: string };
  /** Statuses as in the API. */
  status_change: { username: string; name: string; old_status: string; new_status: string; link: string };
  project_status_approved: { username: string; name: string; link: string };
  /** `name` is null for a thread of a report. */
  moderator_message: { username: string; name: string | null; link: string };
  report_status_updated: { username: string; closed: boolean; link: string };
  /** Any other notification; title and text are in the language of the mail. */
  notification: { username: string; title: string; text: string; link: string };
  /** Titles and texts are in the language of the mail; `more` counts what is left out. */
  digest: {
    username: string;
    period: 'daily' | 'weekly';
    groups: Array<{ title: string; link: string; items: Array<{ text: string; link: string }> }>;
    more: number;
  };
  /** To the addresses of STAFF_EMAIL; title and text are in the language of the mail. */
  staff_notice: { title: string; text: string; link: string };
}
export type MailTemplate = keyof MailData;

/** What people receive because they chose to, and leave by a link in each mail. */
export const mailLists = ['notifications', 'newsletter'] as const;
export type MailList = (typeof mailLists)[number];

/** The list a mail belongs to; null for mails about the account itself, which nobody can leave. */
export const listOf: Record<MailTemplate, MailList | null> = {
  verify_email: null,
  email_changed: null,
  reset_password: null,
  password_changed: null,
  password_removed: null,
  two_factor_enabled: null,
  two_factor_removed: null,
  passkey_added: null,
  passkey_removed: null,
  auth_provider_added: null,
  auth_provider_removed: null,
  new_sign_in: null,
  pat_created: null,
  payout_address: null,
  staff_factor: null,
  session_guessed: null,
  sign_up_attempted: null,
  newsletter_confirm: null,
  newsletter: 'newsletter',
  payment_failed: null,
  payment_unconfirmed: null,
  receipt: null,
  refund_made: null,
  renewal_soon: null,
  server_ready: null,
  server_suspended: null,
  deletion_soon: null,
  subscription_cancelled: null,
  subscription_ended: null,
  payout_requested: null,
  payout_settled: null,
  project_taken_down: null,
  project_shown_again: null,
  server_rescued: null,
  server_lost: null,
  server_port: null,
  project_update: 'notifications',
  team_invite: 'notifications',
  organization_invite: 'notifications',
  status_change: 'notifications',
  project_status_approved: 'notifications',
  moderator_message: 'notifications',
  report_status_updated: 'notifications',
  notification: 'notifications',
  digest: 'notifications',
  staff_notice: null,
};
export const mailTemplates = Object.keys(listOf) as MailTemplate[];

/** All mails with sample data are for administrators. Source: specification §2 (/admin/emails). */
export const whyNotPreviewMails = (actor: Actor | null): RefusalCode | null =>
  isAdmin(actor) ? null : 'admins_only';
