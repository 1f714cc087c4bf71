import type { MessageKey } from './keys.ts';
import type { Messages } from './messages.ts';

interface Said {
  name: string;
  kind: string;
  state: string;
  bound: number | null;
}

const begun: Readonly<Record<string, MessageKey>> = {
  cpu: 'server_alerts.say_cpu',
  memory: 'server_alerts.say_memory',
  disk: 'server_alerts.say_disk',
  tick: 'server_alerts.say_tick',
  crash_loop: 'server_alerts.say_crash_loop',
  node_down: 'server_alerts.say_node_down',
  backup_failed: 'server_alerts.say_backup_failed',
  schedule_failed: 'server_alerts.say_schedule_failed',
};
const over: Readonly<Record<string, MessageKey>> = {
  cpu: 'server_alerts.end_cpu',
  memory: 'server_alerts.end_memory',
  disk: 'server_alerts.end_disk',
  tick: 'server_alerts.end_tick',
  crash_loop: 'server_alerts.end_crash_loop',
  node_down: 'server_alerts.end_node_down',
  backup_failed: 'server_alerts.end_backup_failed',
  schedule_failed: 'server_alerts.end_schedule_failed',
};

/** An alert of a game server in one sentence; kinds that this version does not know have a general one. */
export function alertSentence(
  { t, formatting }: Pick<Messages, 't' | 'formatting'>,
  { name, kind, state, bound }: Said,
): string {
  const known = state === 'ended' ? over[kind] : begun[kind];
  const key = state === 'test' ? 'server_alerts.say_test' : (known ?? 'server_alerts.say_other');
  return t(key, {
    name,
    bound: bound === null ? '' : new Intl.NumberFormat(formatting).format(bound),
  });
}

/** A moment as people read it, in UTC: who reads it may be anywhere. */
export function utcTime({ formatting }: Pick<Messages, 'formatting'>, at: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(formatting, style).format(new Date(at))} UTC`;
}

interface Loss {
  name: string;
  outcome: 'rescued' | 'lost';
  /** The backup it was restored from, or could be; null without one. */
  state_of: string | null;
  /** Where players reach it now. */
  address: string | null;
}

/** What became of a server whose machine was lost. */
export function lossSentence(
  messages: Pick<Messages, 't' | 'formatting'>,
  { name, outcome, state_of, address }: Loss,
): string {
  const time = state_of === null ? '' : utcTime(messages, state_of);
  if (outcome === 'rescued')
    return messages.t('notifications.server_rescued', { name, time, address: address ?? '' });
  return messages.t(time === '' ? 'notifications.server_lost' : 'notifications.server_lost_kept', {
    name,
    time,
  });
}
