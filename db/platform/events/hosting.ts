import { z } from 'zod';
import { event as defineEvent, type EventOptions, type NoData, type Subject } from './define.ts';

const text = z.string();
const backup = z.strictObject({ backup_id: text });
const change = z.strictObject({ from: text, to: text });
const port = z.strictObject({ port: z.int(), name: text });
const domain = z.strictObject({ domain: text });
/** A public key. */
const key = z.strictObject({ fingerprint: text });
/** What a person on a server may do from now on. */
const member = z.strictObject({ member_id: text, role: text, rights: z.array(text) });
const schedule = z.strictObject({ schedule_id: text, name: text });
const method = z.strictObject({ method_id: text });
/** An amount of money in minor units of its currency. */
const ended = z.strictObject({ subscription_id: text, charge_id: text.nullable(), reason: text });
const charge = z.strictObject({ charge_id: text, amount_minor: z.int(), currency: text });

const event = <S extends Subject, D extends z.ZodType = NoData>(subject: S, options: EventOptions<D> = {}) =>
  defineEvent<S, D>(subject, { pages: false, ...options });

/**
 * Hosting events: game servers, billing, nodes and staff notices. None of them changes a catalogue page or a search
 * document. Frequent agent reports (samples, power states) are not events; user actions and lifecycle changes of
 * servers are.
 */
export const hostingEvents = {
  'server.created': event('server', {
    data: z.strictObject({ order_id: text, plan: text, region: text }),
    affects: ['owner'],
  }),
  'server.renamed': event('server', { data: change, affects: ['owner'] }),
  /** Its name below SERVERS_DOMAIN; null is none. */
  'server.subdomain_changed': event('server', {
    data: z.strictObject({ from: text.nullable(), to: text.nullable() }),
    affects: ['owner'],
  }),
  'server.power_requested': event('server', {
    data: z.strictObject({ action: z.enum(['start', 'stop', 'restart', 'kill']) }),
    affects: ['owner'],
  }),
  'server.scheduled': event('server', { affects: ['owner'] }),
  /** A new server was installed for the first time. */
  'server.ready': event('server', { affects: ['owner'] }),
  'server.crashed': event('server', {
    data: z.strictObject({ exit_code: z.int().nullable(), out_of_memory: z.boolean() }),
    affects: ['owner'],
  }),
  'server.broken': event('server', {
    data: z.strictObject({ step: text, error: text }),
    affects: ['owner', 'staff'],
  }),
  'server.suspended': event('server', { data: z.strictObject({ reason: text }), affects: ['owner'] }),
  'server.resumed': event('server', { affects: ['owner'] }),
  'server.resized': event('server', {
    data: z.strictObject({ ram_mb: z.int(), cpu_millis: z.int(), disk_mb: z.int() }),
    affects: ['owner'],
  }),
  'server.plan_change_requested': event('server', {
    data: z.strictObject({ plan: text, ram_mb: z.int(), term: text, when: z.enum(['now', 'later']) }),
    affects: ['owner'],
  }),
  'server.move_requested': event('server', { data: z.strictObject({ reason: text }), affects: ['owner'] }),
  'server.moved': event('server', { affects: ['owner'] }),
  'server.move_failed': event('server', { data: z.strictObject({ error: text }), affects: ['owner'] }),
  /** Its node was lost; its files are those of a backup of this time. */
  'server.rescued': event('server', { data: z.strictObject({ state_of: text }), affects: ['owner'] }),
  'server.lost': event('server', { affects: ['owner'] }),
  'server.startup_changed': event('server', {
    data: z.strictObject({ java: z.int().nullable(), heap_mb: z.int().nullable(), jvm_flags: z.array(text) }),
    affects: ['owner'],
  }),
  'server.sleep_changed': event('server', {
    data: z.strictObject({ after_minutes: z.int().nullable() }),
    affects: ['owner'],
  }),
  'server.fell_asleep': event('server', { affects: ['owner'] }),
  /** A player joined it while it slept. */
  'server.woken': event('server', { affects: ['owner'] }),
  /** The first 20 keys of `server.properties` that were written. */
  'server.properties_changed': event('server', {
    data: z.strictObject({ keys: z.array(text) }),
    affects: ['owner'],
  }),
  'server.icon_changed': event('server', { affects: ['owner'] }),
  /** Of its address: something else on its node used it, or it got its former one back. */
  'server.port_changed': event('server', { data: change, affects: ['owner'] }),
  'server.port_added': event('server', { data: port, affects: ['owner'] }),
  'server.port_renamed': event('server', { data: change.extend({ port: z.int() }), affects: ['owner'] }),
  'server.port_removed': event('server', { data: port, affects: ['owner'] }),
  'server.domain_set': event('server', { data: domain, affects: ['owner'] }),
  'server.domain_removed': event('server', { data: domain, affects: ['owner'] }),
  /** Its records lead to the server. */
  'server.domain_verified': event('server', { data: domain, affects: ['owner'] }),
  /** They led to it, and do not any more. */
  'server.domain_lost': event('server', { data: domain, affects: ['owner'] }),
  /** Whitelist, operators, bans and kicks; `who` is a name or an address, empty for the switches. */
  'server.players_changed': event('server', {
    data: z.strictObject({ action: text, who: text, level: z.int().nullable() }),
    affects: ['owner'],
  }),
  /** `name` is that of the file. */
  'server.log_shared': event('server', {
    data: z.strictObject({ log_id: text, name: text, expires: text }),
    affects: ['owner'],
  }),
  'server.log_removed': event('server', { data: z.strictObject({ log_id: text }), affects: ['owner'] }),
  /** The kinds of alerts that are on. */
  'server.alerts_changed': event('server', {
    data: z.strictObject({ enabled: z.array(text) }),
    affects: ['owner'],
  }),
  'server.alert_webhook_added': event('server', {
    data: z.strictObject({ webhook_id: text }),
    affects: ['owner'],
  }),
  'server.alert_webhook_changed': event('server', {
    data: z.strictObject({ webhook_id: text, to: text }),
    affects: ['owner'],
  }),
  'server.archive_requested': event('server', { affects: ['owner'] }),
  /** `before`: the risky change that it was made before. */
  'server.backup_requested': event('server', {
    data: z.strictObject({ backup_id: text, reason: text, before: text.nullable() }),
    affects: ['owner'],
  }),
  'server.backup_created': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_failed': event('server', {
    data: z.strictObject({ backup_id: text, reason: text, error: text }),
    affects: ['owner'],
  }),
  /** A scheduled backup that was not made. */
  'server.backup_missed': event('server', { data: z.strictObject({ error: text }), affects: ['owner'] }),
  'server.backup_renamed': event('server', { data: change.extend({ backup_id: text }), affects: ['owner'] }),
  'server.backup_locked': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_unlocked': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_deleted': event('server', { data: backup, affects: ['owner'] }),
  /** `server` is the one whose files are replaced. */
  'server.backup_restore_requested': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_restored': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_restore_failed': event('server', {
    data: z.strictObject({ backup_id: text, error: text }),
    affects: ['owner'],
  }),
  'server.backup_verified': event('server', {
    data: z.strictObject({ backup_id: text, damaged: z.boolean() }),
    affects: ['owner'],
  }),
  'server.backup_download_requested': event('server', { data: backup, affects: ['owner'] }),
  'server.backup_rules_changed': event('server', {
    data: z.strictObject({ every_hours: z.int().nullable() }),
    affects: ['owner'],
  }),
  /** Content or loader; `kind` as in `ChangeView`, `names` the first things that change. */
  'server.change_requested': event('server', {
    data: z.strictObject({ change_id: text, kind: text, count: z.int(), names: z.array(text).optional() }),
    affects: ['owner'],
  }),
  'server.change_done': event('server', {
    data: z.strictObject({ change_id: text, kind: text, count: z.int() }),
    affects: ['owner'],
  }),
  /** The server is what it was before. `error` is `cancelled` when a user ended it. */
  'server.change_failed': event('server', {
    data: z.strictObject({ change_id: text, kind: text, error: text }),
    affects: ['owner'],
  }),
  'server.schedule_added': event('server', { data: schedule, affects: ['owner'] }),
  'server.schedule_changed': event('server', { data: schedule, affects: ['owner'] }),
  'server.schedule_enabled': event('server', { data: schedule, affects: ['owner'] }),
  'server.schedule_disabled': event('server', { data: schedule, affects: ['owner'] }),
  'server.schedule_removed': event('server', { data: schedule, affects: ['owner'] }),
  'server.schedule_run_requested': event('server', { data: schedule, affects: ['owner'] }),
  /** `reason` is the code of the first step that failed, or why the run could not begin. */
  'server.schedule_failed': event('server', { data: schedule.extend({ reason: text }), affects: ['owner'] }),
  /** A run did not take place at its time. `reason`: `schedule_late`, `schedule_running`, `server_unreachable`. */
  'server.schedule_missed': event('server', { data: schedule.extend({ reason: text }), affects: ['owner'] }),
  'server.sftp_password_set': event('server', { affects: ['owner'] }),
  'server.sftp_key_added': event('server', { data: key, affects: ['owner'] }),
  'server.sftp_key_removed': event('server', { data: key, affects: ['owner'] }),
  /** Somebody signed in, at most once an hour with each password and key. */
  'server.sftp_opened': event('server', {
    data: z.strictObject({ by: z.enum(['password', 'key']) }),
    affects: ['owner'],
  }),
  /** A line that somebody sent to the console, cut; `skipped`: how many more there were that are not recorded. */
  'server.command_sent': event('server', {
    data: z.strictObject({ text, skipped: z.int() }),
    affects: ['owner'],
  }),
  /** What somebody did with files: the first of the paths, and how many there were. */
  'server.files_changed': event('server', {
    data: z.strictObject({ action: text, paths: z.array(text), count: z.int() }),
    affects: ['owner'],
  }),
  'server.member_invited': event('server', { data: member, affects: ['owner', 'subject'] }),
  'server.member_joined': event('server', { affects: ['owner'] }),
  'server.member_declined': event('server', { affects: ['owner'] }),
  'server.member_changed': event('server', { data: member, affects: ['owner', 'subject'] }),
  'server.member_removed': event('server', {
    data: z.strictObject({ member_id: text }),
    affects: ['owner', 'subject'],
  }),
  'server.member_left': event('server', { affects: ['owner'] }),
  'server.deleted': event('server', { affects: ['owner'] }),

  'order.placed': event('user', {
    data: z.strictObject({ order_id: text, plan: text, region: text, term: text }),
    affects: ['owner'],
  }),
  'subscription.moved': event('server', {
    data: z.strictObject({ subscription_id: text, from: text, to: text }),
    affects: ['owner'],
  }),
  'plus.ordered': event('user', {
    data: z.strictObject({ subscription_id: text, term: text }),
    affects: ['owner'],
  }),
  // their pages show a badge while they have it
  'plus.moved': event('user', {
    pages: true,
    data: z.strictObject({ subscription_id: text, from: text, to: text }),
    affects: ['owner'],
  }),
  'plus.interval_chosen': event('user', {
    data: z.strictObject({ subscription_id: text, term: text }),
    affects: ['owner'],
  }),
  'card.added': event('user', { data: method, affects: ['owner'] }),
  'card.chosen': event('user', { data: method, affects: ['owner'] }),
  'card.removed': event('user', { data: method, affects: ['owner'] }),
  'charge.succeeded': event('user', { data: charge, affects: ['owner'] }),
  'charge.failed': event('user', { data: charge, affects: ['owner'] }),
  // of those from before there were credit notes the refund is not known
  'charge.refunded': event('user', {
    data: charge.extend({ refund_id: text.optional() }),
    affects: ['owner'],
  }),
  'charge.disputed': event('user', {
    data: charge.extend({ state: z.enum(['open', 'won', 'lost']) }),
    affects: ['owner', 'staff'],
  }),

  'subscription.credited': event('user', {
    data: z.strictObject({ subscription_id: text, days: z.int() }),
    affects: ['owner'],
  }),
  'subscription.region_changed': event('user', {
    data: z.strictObject({ subscription_id: text, region: text }),
    affects: ['owner', 'staff'],
  }),
  // by staff, who give a reason
  'service.taken': event('user', { data: ended, affects: ['owner'] }),
  'service.cancelled': event('user', { data: ended, affects: ['owner'] }),
  'charge.voided': event('user', { data: ended, affects: ['owner'] }),
  'billing.noted': event('user', { data: z.strictObject({ note_id: text }), affects: ['staff'] }),
  'billing.note_removed': event('user', { data: z.strictObject({ note_id: text }), affects: ['staff'] }),

  'node.added': event('node', { data: z.strictObject({ name: text, region: text }), affects: ['staff'] }),
  'node.edited': event('node', { affects: ['staff'] }),
  'node.joined': event('node', { affects: ['staff'] }),
  'node.join_token_reissued': event('node', { affects: ['staff'] }),
  'node.given_up': event('node', {
    data: z.strictObject({ rescued: z.int(), lost: z.int() }),
    affects: ['staff'],
  }),
  'node.offline': event('node', { affects: ['staff', 'renters'] }),
  'node.draining_changed': event('node', {
    data: z.strictObject({ draining: z.boolean() }),
    affects: ['staff'],
  }),
  'node.rotation_requested': event('node', { affects: ['staff'] }),
  'node.secret_rotated': event('node', { affects: ['staff'] }),
  'node.removed': event('node', { data: z.strictObject({ name: text }), affects: ['staff'] }),

  'notice.created': event('notice', { data: z.strictObject({ level: text }), affects: ['renters'] }),
  'notice.edited': event('notice', { data: z.strictObject({ level: text }), affects: ['renters'] }),
  'notice.ended': event('notice', { affects: ['renters'] }),
} as const;
