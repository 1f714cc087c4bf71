import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Menu, MenuItem, MenuLine } from '../../../platform/ui/Menu.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { whyNotNow } from '../core/access.ts';
import { cancelWork, downloadBackup, lockBackup, redo } from './actions.ts';
import { BackupIcon } from './BackupIcon.tsx';
import { $waiting } from './backups.store.ts';
import { isOffered } from './why-not.ts';

/** Opens a dialog about a backup. */
export type Opens = (dialog: 'rename' | 'restore' | 'delete', backup: BackupView) => void;

interface BackupActionsProps {
  backup: BackupView;
  /** Why nothing can be done on the node now. */
  whyNot: string | null;
  /** Why it cannot be downloaded now. */
  whyNotDownloadBackup: string | null;
  isOpen: boolean;
  open: Opens;
}

/** The buttons of one backup, the most usual first; the others are in a menu. */
export function BackupActions({ backup, whyNot, whyNotDownloadBackup, isOpen, open }: BackupActionsProps) {
  const labels = useMessages();
  const { t } = labels;
  const { id, name, locked } = backup;
  const lost = whyNotNow(labels, isOpen, whyNotHave.backups);
  const whyNotDelete = lost ?? (locked ? t('error.backup_locked') : null);
  if (isOffered('cancel', backup))
    return (
      <div className="acts">
        <Button
          label={t('servers.cancel')}
          of={name}
          busy={`cancel ${id}`}
          whyNot={lost}
          act={() => void cancelWork(id)}
        />
      </div>
    );
  if (isInProgress(backup.state)) return <div className="acts" />;
  return (
    <div className="acts">
      {isOffered('retry', backup) && (
        <Button
          label={t('backup.retry')}
          of={name}
          icon={<Icon name="restart" />}
          busy={`retry ${id}`}
          whyNot={whyNot}
          act={() => void redo('retry', id, t('backup.create_failed'))}
        />
      )}
      {isOffered('restore', backup) && (
        <Button label={t('backup.restore')} of={name} whyNot={whyNot} act={() => open('restore', backup)} />
      )}
      {isOffered('download', backup) && (
        <IconButton
          label={t('backup.download_of', { name })}
          busy={`download ${id}`}
          whyNot={whyNotDownloadBackup}
          act={() => void downloadBackup(id, t('backup.download_failed'))}
        >
          <BackupIcon name="download" />
        </IconButton>
      )}
      <Menu look="btn quiet s icon" label={t('servers.more_of', { name })} button={<Icon name="more" />}>
        <MenuItem whyNot={lost} act={() => open('rename', backup)} icon={<Icon name="rename" />}>
          {t('backup.rename')}
        </MenuItem>
        {isOffered('lock', backup) && (
          <MenuItem
            whyNot={lost}
            act={() => void lockBackup(id, !locked)}
            icon={<BackupIcon name={locked ? 'unlocked' : 'locked'} />}
          >
            {t(locked ? 'backup.unlock' : 'backup.lock')}
          </MenuItem>
        )}
        {isOffered('verify', backup) && (
          <MenuItem
            whyNot={whyNot}
            act={() => void redo('verify', id, t('backup.verify_failed'))}
            icon={<BackupIcon name="verified" />}
          >
            {t('backup.verify')}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem
          whyNot={whyNotDelete}
          act={() => open('delete', backup)}
          icon={<Icon name="remove" />}
          isBad
        >
          {t('backup.delete')}
        </MenuItem>
      </Menu>
    </div>
  );
}

interface ButtonProps {
  label: string;
  /** The name of the backup, for whoever does not see the line. */
  of: string;
  icon?: ReactNode;
  busy?: string;
  whyNot: string | null;
  act(): void;
}

function Button({ label, of, icon, busy, whyNot, act }: ButtonProps) {
  const isBusy = useStore($waiting).includes(busy ?? '');
  return (
    <button
      className={icon ? 'btn s' : 'btn quiet s'}
      type="button"
      aria-disabled={whyNot !== null}
      aria-busy={isBusy}
      data-tip={whyNot ?? undefined}
      onClick={act}
    >
      {!isBusy && icon}
      {label} <bdi className="hide">{of}</bdi>
    </button>
  );
}

interface IconButtonProps {
  label: string;
  busy: string;
  whyNot: string | null;
  act(): void;
  children: ReactNode;
}

function IconButton({ label, busy, whyNot, act, children }: IconButtonProps) {
  const isBusy = useStore($waiting).includes(busy);
  return (
    <button
      className="btn quiet s icon"
      type="button"
      aria-label={label}
      aria-disabled={whyNot !== null}
      aria-busy={isBusy}
      data-tip={whyNot ?? label}
      onClick={act}
    >
      {!isBusy && children}
    </button>
  );
}
