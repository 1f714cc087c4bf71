import { type MessageKey, type Messages, pick } from '#content/messages.ts';
import type { RefusalCode } from '#db/errors.ts';

/** Texts of the panel and the list without parameters. */
const plain = [
  'servers.title',
  'servers.search',
  'servers.search_hint',
  'servers.new',
  'servers.none',
  'servers.none_text',
  'servers.see_plans',
  'servers.none_found_text',
  'servers.clear',
  'servers.coming',
  'servers.coming_text',
  'servers.list_failed',
  'servers.list_failed_text',
  'servers.plan_small',
  'servers.plan_medium',
  'servers.plan_large',
  'servers.plan_custom',
  'servers.plan_trial',
  'servers.state_stopped',
  'servers.state_starting',
  'servers.state_running',
  'servers.state_stopping',
  'servers.state_crashed',
  'servers.state_unknown',
  'servers.state_unprovisioned',
  'servers.state_out_of_stock',
  'servers.state_provisioning',
  'servers.state_installing',
  'servers.state_suspended',
  'servers.state_upgrading',
  'servers.state_broken',
  'servers.state_deprovisioning',
  'servers.why_unprovisioned',
  'servers.why_out_of_stock',
  'servers.why_provisioning',
  'servers.why_installing',
  'servers.why_upgrading',
  'servers.why_deprovisioning',
  'servers.why_unknown',
  'servers.why_broken',
  'servers.broken_port_taken',
  'servers.broken_image_missing',
  'servers.broken_limit_refused',
  'servers.broken_disk_full',
  'servers.broken_disk_failed',
  'servers.broken_name_taken',
  'servers.broken_kind_unknown',
  'servers.broken_docker_failed',
  'servers.resized',
  'servers.resized_text',
  'servers.why_starts_later',
  'servers.suspended_moderated',
  'servers.suspended_payment_failed',
  'servers.suspended_cancelled',
  'servers.suspended_upgrading',
  'servers.suspended_trial_ended',
  'servers.suspended_other',
  'servers.start',
  'servers.stop',
  'servers.restart',
  'servers.kill',
  'servers.delete',
  'servers.more',
  'servers.cancel',
  'servers.close',
  'servers.save',
  'servers.rename',
  'servers.name',
  'servers.version',
  'servers.loader',
  'servers.uptime',
  'servers.copy_address',
  'servers.copy_id',
  'servers.copied',
  'servers.ask_again',
  'servers.no_asking',
  'servers.ask_stop',
  'servers.ask_stop_text',
  'servers.ask_restart',
  'servers.ask_restart_text',
  'servers.ask_kill',
  'servers.ask_kill_text',
  'servers.ask_delete',
  'servers.ask_delete_text',
  'servers.delete_type_name',
  'servers.locked',
  'servers.lost',
  'servers.lost_text',
  'servers.gone',
  'servers.gone_signed_out',
  'servers.sign_in',
  'servers.billing',
  'servers.to_list',
  'servers.refused',
  'servers.line_lost',
  'servers.cpu',
  'servers.memory',
  'servers.storage',
  'servers.players',
  'servers.players_unknown',
  'servers.resting',
  'servers.waiting_for_figures',
  'servers.figures_unknown',
  'servers.gib',
  'servers.mib',
  'servers.figures',
  'servers.overview',
  'servers.parts',
  'servers.console',
  'servers.console_lines',
  'servers.console_new',
  'servers.console_search',
  'servers.console_previous',
  'servers.console_next',
  'servers.console_copy',
  'servers.console_full',
  'servers.console_small',
  'servers.console_older',
  'servers.console_reading',
  'servers.console_empty_text',
  'servers.console_unreachable',
  'servers.console_nothing',
  'servers.console_bottom',
  'servers.console_fresh',
  'servers.console_keys',
  'servers.command',
  'servers.command_hint',
  'servers.command_send',
  'servers.level_info',
  'servers.level_warn',
  'servers.level_error',
  'servers.level_typed',
  'servers.crash_memory',
  'servers.crash_other',
  'servers.crash_held',
  'servers.crash_again_soon',
  'servers.crash_off',
  'servers.crash_to_do',
  'servers.crash_seen',
  'servers.crash_start',
  'servers.crash_start_text',
  'servers.crash_more_memory',
  'servers.crash_more_memory_text',
  'servers.crash_plans',
  'servers.crash_read',
  'servers.crash_read_text',
  'servers.crash_show',
  'servers.crash_exit_code',
  'servers.crash_no_code',
  'servers.crash_memory_limit',
  'servers.crash_out_of_memory',
  'servers.yes',
  'servers.no',
  'servers.crash_copy',
  'servers.crash_last_lines',
  'servers.crash_kept_here',
  'servers.notices',
  'servers.notice_critical',
  'servers.notice_warn',
  'servers.notice_info',
  'servers.notice_survey',
  'servers.notice_more',
  'servers.notice_answer',
  'servers.notice_dismiss',
] as const satisfies readonly MessageKey[];

/** Texts with parameters, and their names. */
const filled = {
  'servers.none_found_for': ['query'],
  'servers.seen_ago': ['when'],
  'servers.percent': ['number'],
  'servers.of': ['most'],
  'servers.now_percent': ['now', 'least', 'most'],
  'servers.found_place': ['at', 'all'],
  'servers.memory_size': ['number'],
  'servers.join_at': ['address'],
} as const satisfies Partial<Record<MessageKey, readonly string[]>>;

/** Texts that depend on a number, `{shown}` in them. */
const counted = [
  'servers.found',
  'servers.cores',
  'servers.skipped',
  'servers.between',
  'servers.new_lines',
  'servers.days',
  'servers.lines_chosen',
] as const satisfies readonly MessageKey[];

/** Refusals that a panel can receive, without parameters. */
const refusals = [
  'authentication_required',
  'token_invalid',
  'server_not_found',
  'server_suspended',
  'server_upgrading',
  'server_not_ready',
  'server_not_running',
  'server_unreachable',
  'server_name_length',
  'command_empty',
  'command_too_long',
  'command_control_characters',
  'command_not_delivered',
  'too_fast',
  'operation_expired',
  'operation_failed',
  'operation_mismatch',
  'notice_unknown',
  'notice_not_dismissable',
  'scope_missing',
] as const satisfies readonly RefusalCode[];

export type PlainKey = (typeof plain)[number];
export type FilledKey = keyof typeof filled;
export type CountedKey = (typeof counted)[number];
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** All texts of the islands, in the language of the page, so that the browser loads no catalog. */
export interface PanelTexts {
  formatting: string;
  /** `?hl=…` when the address has one. */
  query: string;
  plain: Record<PlainKey | FilledKey, string>;
  counted: Record<CountedKey, Forms>;
  refusals: Record<string, string>;
}

export function panelTexts(messages: Messages, query: string): PanelTexts {
  const { t, formatting } = messages;
  const named = Object.entries(filled).map(([key, names]) => [
    key,
    t(key as FilledKey, Object.fromEntries(names.map((name) => [name, `{${name}}`]))),
  ]);
  return {
    formatting,
    query,
    plain: { ...pick(t, plain), ...Object.fromEntries(named) },
    counted: Object.fromEntries(counted.map((key) => [key, formsOf(messages, key)])) as Record<
      CountedKey,
      Forms
    >,
    refusals: Object.fromEntries(refusals.map((code) => [code, t(`error.${code}`)])),
  };
}

/** Numbers that cover the plural forms of every language. */
const samples = [...Array(120).keys(), 1000, 1_000_000, 1.5];

/** A text that depends on `count`, once for each plural form of the language; the number is `{shown}` in it. */
export function formsOf({ t, formatting }: Messages, key: MessageKey): Forms {
  const rules = new Intl.PluralRules(formatting);
  const forms: Forms = {};
  for (const count of samples) forms[rules.select(count)] ??= t(key, { count, shown: '{shown}' });
  return forms;
}
