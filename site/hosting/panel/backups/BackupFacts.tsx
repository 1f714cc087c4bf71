import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { loaderName } from '../../shared/loader-name.ts';

/** Facts of a backup, as parts of a line. */

/** The size of the content, and how many files it has. */
export function Size({ backup }: { backup: BackupView }) {
  const labels = useMessages();
  const { content_bytes, files } = backup;
  const { t, count } = labels;
  if (content_bytes === null) return t('backup.size_unknown');
  return t('backup.size_of_files', {
    size: sizeText(labels, content_bytes),
    files: count('backup.files', files ?? 0),
  });
}

/** Game version and loader that it was made with, and whether the server has others now. */
export function MadeWith({ backup, now }: { backup: BackupView; now: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const isSame = backup.game_version === now.game_version && backup.loader === now.loader;
  return (
    <>
      <bdi>{backup.game_version}</bdi> <bdi>{loaderName(labels, backup.loader)}</bdi>{' '}
      <span className={isSame ? 'meta' : 'hint warn'}>
        {isSame ? t('backup.same_as_now') : t('backup.other_than_now', { version: now.game_version })}
      </span>
    </>
  );
}
