import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { $preferences } from '../../shared/preferences.store.ts';
import { type Confirmation, useConfirm } from '../../shared/use-confirm.tsx';
import { whyNotNow } from '../core/access.ts';
import { deleteBackups } from './actions.ts';
import { BackupLine } from './BackupLine.tsx';
import { BackupsHead } from './BackupsHead.tsx';
import { Export } from './Export.tsx';
import { NameDialog } from './NameDialog.tsx';
import { Selection } from './Selection.tsx';
import {
  hasRoom,
  isDeletable,
  whyNotCreate,
  whyNotDownloadBackup,
  whyNotExport,
  whyNotWork,
} from './why-not.ts';

const RestoreDialog = later(async () => (await import('./RestoreDialog.tsx')).RestoreDialog);
const RetentionDialog = later(async () => (await import('./RetentionDialog.tsx')).RetentionDialog);

interface BackupListProps {
  server: ServerView;
  backups: readonly BackupView[];
  most: number;
  retention: RetentionRules;
  isOpen: boolean;
}

/** The dialog that is open, and the backup that it is about. */
type Open = { dialog: 'create' | 'retain' } | { dialog: 'rename' | 'restore'; id: string };

/** The backups that are there, and what is done to them. */
export function BackupList({ server, backups, most, retention, isOpen }: BackupListProps) {
  const labels = useMessages();
  const { t } = labels;
  const { confirm, dialog } = useConfirm();
  const [open, setOpen] = useState<Open | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const situation = { server, backups, most, isOpen };
  const whyNot = whyNotWork(labels, situation);
  const whyNotMake = whyNotCreate(labels, situation);
  const lost = whyNotNow(labels, isOpen, whyNotHave.backups);
  // what is gone, or locked meanwhile, is no longer selected
  const selected = backups.filter((one) => chosen.includes(one.id) && isDeletable(one));
  const about = open && 'id' in open ? backups.find(({ id }) => id === open.id) : undefined;
  const done = () => setOpen(null);
  const remove = (some: readonly BackupView[]) => confirm(deletion(labels, some, () => setChosen([])));
  const preferences = useStore($preferences);
  const create = () => {
    const act = () => setOpen({ dialog: 'create' });
    const isAsked = preferences?.backup_running === false && hasProcess(server);
    if (isAsked) confirm(runningQuestion(labels, act));
    else act();
  };
  return (
    <>
      <BackupsHead
        {...{ backups, most, retention, isOpen }}
        whyNot={whyNotMake}
        create={create}
        change={() => setOpen({ dialog: 'retain' })}
      />
      <Selection
        {...{ selected, backups, isOpen }}
        choose={(some) => setChosen(some.map(({ id }) => id))}
        remove={() => remove(selected)}
      />
      {backups.length === 0 && <Empty title={t('backup.none')} text={t('backup.none_text')} />}
      <ul className="bks" aria-label={t('backup.title')}>
        {backups.map((backup) => (
          <BackupLine
            key={backup.id}
            {...{ backup, whyNot, isOpen }}
            whyNotDownloadBackup={whyNotDownloadBackup(labels, situation, backup)}
            isChosen={selected.includes(backup)}
            choose={(isChosen) =>
              setChosen(isChosen ? [...chosen, backup.id] : chosen.filter((id) => id !== backup.id))
            }
            open={(what, { id }) => (what === 'delete' ? remove([backup]) : setOpen({ dialog: what, id }))}
          />
        ))}
      </ul>
      <Export whyNot={whyNotExport(labels, situation)} />
      {open?.dialog === 'create' && <NameDialog {...{ backups, done }} whyNot={whyNotMake} />}
      {open?.dialog === 'rename' && about && (
        <NameDialog {...{ backups, done }} backup={about} whyNot={lost} />
      )}
      {open?.dialog === 'restore' && about && (
        <RestoreDialog
          {...{ server, whyNot, done }}
          backup={about}
          fits={hasRoom(backups, retention, about.id, new Date())}
        />
      )}
      {open?.dialog === 'retain' && <RetentionDialog {...{ retention, backups, most, done }} whyNot={lost} />}
      {dialog}
    </>
  );
}

const hasProcess = ({ state }: ServerView): boolean => ['running', 'starting', 'stopping'].includes(state);

/** What is asked before a backup of a running server, where the user prefers that. */
const runningQuestion = ({ t }: PageMessages, act: () => void): Confirmation => ({
  title: t('backup.ask_running'),
  text: t('backup.ask_running_text'),
  action: t('backup.create'),
  act,
});

/** What is asked before backups are deleted. */
function deletion({ t, count }: PageMessages, some: readonly BackupView[], done: () => void): Confirmation {
  const [only] = some;
  return {
    title:
      some.length === 1
        ? t('backup.ask_delete', { name: only!.name })
        : count('backup.ask_delete_many', some.length),
    text: t('backup.ask_delete_text'),
    action: t('backup.delete'),
    act: () => void deleteBackups(some.map(({ id }) => id)).then((isDone) => isDone && done()),
  };
}
