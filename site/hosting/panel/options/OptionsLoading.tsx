import { useStore } from '@nanostores/react';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { $connection } from '../core/panel.store.ts';

interface OptionsLoadingProps {
  /** Why they could not be loaded. */
  problem: ApiError | null;
  reload(): Promise<void>;
  /** About as many lines as there will be. */
  rows?: number;
}

/** What a page of options shows before it has any: that it loads, or why it cannot. */
export function OptionsLoading({ problem, reload, rows = 6 }: OptionsLoadingProps) {
  const { t } = useMessages();
  const line = useStore($connection);
  if (problem)
    return (
      <Alert
        tone="bad"
        title={t('server_options.load_failed')}
        action={
          <button className="btn" type="button" onClick={() => void reload()}>
            {t('server_options.reload')}
          </button>
        }
      >
        {problem.description}
      </Alert>
    );
  if (line === 'lost')
    return <Empty title={t('server_options.offline')} text={t('server_options.offline_text')} />;
  return (
    <>
      <p className="hide" role="status">
        {t('server_options.loading')}
      </p>
      <Skeleton rows={rows} />
    </>
  );
}
