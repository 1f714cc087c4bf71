import { createContext, useContext } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

/** Where support is reached; null where the operator names no place. */
export const SupportContext = createContext<string | null>(null);

/** Leads to support from a server that only staff can bring back: one that they suspended, or whose machine was lost. */
export function SupportLink({ server: { lifecycle, lifecycle_data } }: { server: ServerView }) {
  const { t } = useMessages();
  const support = useContext(SupportContext);
  if (support === null || lifecycle !== 'suspended' || lifecycle_data.until !== undefined) return null;
  return (
    <a className="link" href={support}>
      {t('servers.support')}
    </a>
  );
}
