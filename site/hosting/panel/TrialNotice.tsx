import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';
import type { PaidTime } from './paid-time.ts';

/** How long a trial still runs, and how to keep its server; nothing for a plan that is paid. */
export function TrialNotice({ id, paid }: { id: string; paid: PaidTime | null }) {
  const { t, count, link } = useMessages();
  if (paid?.term !== 'trial' || paid.state !== 'active' || paid.days_left === null) return null;
  return (
    <Alert
      tone="note"
      title={count('servers.trial_left', paid.days_left)}
      action={
        <a className="btn" href={link(`/servers/manage/${id}/options/billing#plan`)}>
          {t('servers.trial_choose')}
        </a>
      }
    >
      {t('servers.trial_text', { date: paid.until ?? '' })}
    </Alert>
  );
}
