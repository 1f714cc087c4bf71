import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { shareDone, stateViews } from './state.ts';

/** How far what is in progress on a backup is. Not announced with every step: changes of the state are. */
export function Work({ backup }: { backup: BackupView }) {
  const labels = useMessages();
  const { t, number } = labels;
  const { state, progress, name } = backup;
  const share = shareDone(backup);
  if (state === 'queued') return null;
  return (
    <div className="prog">
      <progress
        className="meter go"
        max="1"
        value={share ?? undefined}
        aria-label={t('backup.now', { name, state: t(stateViews[state].text) })}
      />
      {share !== null ? (
        <span className="meta">
          {t('servers.percent', { number: number(Math.floor(share * 100)) })} ·{' '}
          {t('backup.done_of', {
            done: sizeText(labels, progress!.done),
            total: sizeText(labels, progress!.total!),
          })}
        </span>
      ) : (
        progress && <span className="meta">{sizeText(labels, progress.done)}</span>
      )}
    </div>
  );
}
