import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import type { PaidTime } from './paid-time.ts';

/** That the renewal of a server failed, until when it can be paid, and where. */
export function UnpaidNotice({ id, unpaid }: { id: string; unpaid: NonNullable<PaidTime['unpaid']> }) {
  const { t, link } = useMessages();
  const { sum, stops, card } = unpaid;
  return (
    <Alert
      tone="bad"
      title={t('servers.unpaid')}
      action={
        <a className="btn primary" href={`${link(`/servers/manage/${id}/options/billing`)}#pay`}>
          {t('servers.pay', { sum })}
        </a>
      }
    >
      {card ? t('servers.unpaid_card', { card, date: stops }) : t('servers.unpaid_text', { date: stops })}
    </Alert>
  );
}
