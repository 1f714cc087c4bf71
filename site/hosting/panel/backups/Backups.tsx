import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { $connection } from '../core/panel.store.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { BackupList } from './BackupList.tsx';
import { $backups, $changed, $limits, $problem, followBackups, loadBackups } from './backups.store.ts';
import { stateViews } from './state.ts';

/** The backups of one server: list, new ones, restoring, which automated ones stay. */
export const Backups = (props: PanelProps) => (
  <PanelFrame {...props} current="backups">
    {(server) => <All server={server} />}
  </PanelFrame>
);

function All({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const backups = useStore($backups);
  const limits = useStore($limits);
  const problem = useStore($problem);
  const line = useStore($connection);
  useEffect(followBackups, []);
  return (
    <div className="bks-page" aria-busy={!backups && !problem}>
      <Announcements />
      {problem && (
        <Alert
          tone="bad"
          title={t('backup.load_failed')}
          action={
            <button className="btn" type="button" onClick={() => void loadBackups()}>
              {t('backup.reload')}
            </button>
          }
        >
          {problem.description}
        </Alert>
      )}
      {backups && limits && <BackupList {...{ server, backups, ...limits }} isOpen={line === 'open'} />}
      {!backups && !problem && line === 'lost' && (
        <Empty title={t('backup.offline')} text={t('backup.offline_text')} />
      )}
      {!backups && !problem && line !== 'lost' && (
        <>
          <p className="hide" role="status">
            {t('backup.loading')}
          </p>
          <Skeleton rows={4} />
        </>
      )}
    </div>
  );
}

/** Says what has begun or ended, for whoever does not see the list. */
function Announcements() {
  const { t } = useMessages();
  const changed = useStore($changed);
  return (
    <div className="hide" role="status">
      {changed.map(({ id, name, state }) => (
        <p key={`${id} ${state}`}>{t('backup.now', { name, state: t(stateViews[state].text) })}</p>
      ))}
    </div>
  );
}
