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
