import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { PaidTime } from '../panel/paid-time.ts';

/** Below a server of one's own: that its renewal failed, with the way to pay, or on which day it ends. */
export function PaidLine({ id, paid }: { id: string; paid: PaidTime }) {
  const { t, link } = useMessages();
  const { unpaid, state, until } = paid;
  if (unpaid)
    return (
      <p className="why">
        {t('servers.unpaid')}. {t('servers.unpaid_text', { date: unpaid.stops })}{' '}
        <a className="link" href={`${link(`/servers/manage/${id}/options/billing`)}#pay`}>
          {t('servers.pay', { sum: unpaid.sum })}
        </a>
      </p>
    );
  if (state !== 'cancelled' || !until) return null;
  return <p className="why">{t('servers.ends', { date: until })}</p>;
}
