import type { BackupSummary } from '#db/hosting/servers/backups/summary.ts';
import { exactDate } from '../../platform/text/dates.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Alert } from '../shared/Alert.tsx';

/** That nothing protects the files of a server yet, until its first backup; from then on when the newest was made. */
export function BackupHint({ id, backups: { last, next } }: { id: string; backups: BackupSummary }) {
  const messages = useMessages();
  const { t, link } = messages;
  const path = link(`/servers/manage/${id}/backups`);
  if (last !== null)
    return (
      <p className="meta" data-last-backup>
        <a className="link" href={path}>
          {t('servers.backup_last', { date: exactDate(messages, last) })}
        </a>
      </p>
    );
  return (
    <div className="troubles">
      <Alert
        tone={next === null ? 'warn' : 'note'}
        title={t('servers.backup_none')}
        action={
          <a className="btn" href={path}>
            {t('servers.backup_open')}
          </a>
        }
      >
        {next === null
          ? t('servers.backup_off')
          : t('servers.backup_first', { date: exactDate(messages, next) })}
      </Alert>
    </div>
  );
}
