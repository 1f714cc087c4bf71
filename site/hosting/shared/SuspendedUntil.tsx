import type { ServerView } from '#db/hosting/servers/view.ts';
import { day } from '../../platform/text/dates.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

/** When a suspended server is deleted, in a sentence; nothing where it is not. */
export function SuspendedUntil({ server: { lifecycle, lifecycle_data } }: { server: ServerView }) {
  const messages = useMessages();
  const { until } = lifecycle_data;
  if (lifecycle !== 'suspended' || until === undefined) return null;
  return messages.t('servers.suspended_until', { date: day(messages, until) });
}
