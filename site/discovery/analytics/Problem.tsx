import type { ApiError } from '../../platform/browser/api-client.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

/** Why the figures are not there, or not new, and how to try again. */
export function Problem({ problem, reload }: { problem: ApiError; reload(): void }) {
  const { t } = useMessages();
  const why = problem.description || t('analytics.failed_text');
  return (
    <div className="say bad" role="alert">
      <b>{t('analytics.load_failed')}</b>
      <p>{problem.status === 0 ? t('analytics.offline') : why}</p>
      <button className="btn" type="button" onClick={reload}>
        {t('analytics.retry')}
      </button>
    </div>
  );
}
