import { parseOwnText } from '#db/hosting/servers/own-events.ts';
import type { MessageReader } from '../../../platform/text/message-reader.ts';

/** What Cairn itself did, as a sentence in the language of the page; what this page does not know as it was sent. */
export function ownSentence({ t, number }: Pick<MessageReader, 't' | 'number'>, text: string): string {
  const own = parseOwnText(text);
  if (!own) return text;
  const { event, detail } = own;
  if (event === 'crash_restart')
    return t('servers.own_crash_restart', { number: number(Number(detail ?? 1)) });
  if (event === 'fell_asleep') return t('servers.own_fell_asleep', { count: Number(detail ?? 1) || 1 });
  if (event === 'woken') return t('servers.own_woken');
  if (event === 'port_taken') return t('servers.own_port_taken', { port: detail ?? '' });
  if (event === 'stopped_disk_full' || event === 'stopped_suspended') return t(`servers.own_${event}`);
  return detail ? t(`servers.own_${event}_by`, { name: detail }) : t(`servers.own_${event}`);
}
