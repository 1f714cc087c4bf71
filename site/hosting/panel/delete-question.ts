import type { ServerView } from '#db/hosting/servers/view.ts';
import { deletionCost } from '#db/money/billing/rules.ts';
import type { PageMessages } from '../../platform/text/MessagesContext.tsx';
import type { Confirmation } from '../shared/confirmation.ts';
import { remove } from './core/actions.ts';
import type { PaidTime } from './paid-time.ts';

/** What is asked before a server is deleted: what becomes of its files and of the money. */
export function deleteQuestion(
  { t, link }: PageMessages,
  server: ServerView,
  paid: PaidTime | null,
): Confirmation {
  const { name, id, address } = server;
  const cost = deletionCost(paid && { ...paid, placed: address !== null });
  const costText = cost === 'free' ? '' : t(`servers.delete_${cost}`, { date: paid?.until ?? '' });
  return {
    title: t('servers.ask_delete'),
    text: [t('servers.ask_delete_text'), costText].filter(Boolean).join(' '),
    // what was never on a node has no files
    ...(address && {
      link: { href: link(`/servers/manage/${id}/options/billing#files`), text: t('servers.delete_download') },
    }),
    action: t('servers.delete'),
    typed: { label: t('servers.delete_type_name'), text: name },
    act: () => void remove(link('/servers/manage'), t('servers.deleted', { name })),
  };
}
