import { useId, useRef, useState } from 'react';
import {
  defaultBackupName,
  normalizedBackupName,
  whyNotBackupName,
} from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { createBackup, refusalIn, renameBackup } from './actions.ts';

const most_letters = 48;

/** Names are taken whatever the case of their letters. */
const fold = (name: string): string => normalizedBackupName(name).toLowerCase();

interface NameDialogProps {
  /** The one to rename; without it a new one is made. */
  backup?: BackupView;
  backups: readonly BackupView[];
  whyNot: string | null;
  done(): void;
}

/** Makes a backup under a name, or renames one. A taken name is said below the field. */
export function NameDialog({ backup, backups, whyNot, done }: NameDialogProps) {
  const labels = useMessages();
  const { t, number } = labels;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [op_id] = useState(() => crypto.randomUUID());
  const [name, setName] = useState(backup?.name ?? '');
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const given = normalizedBackupName(name);
  const isTaken = backups.some((other) => other.id !== backup?.id && fold(other.name) === fold(given));
  // a new one without a name gets a number
  const code = given === '' && !backup ? null : whyNotBackupName(name);
  const wrong = refused ?? (isTaken ? t('error.backup_name_taken') : code && t('error.backup_name_length'));
  const failed = t(backup ? 'backup.rename_failed' : 'backup.create_failed');
  const onRefused = (error: ApiError) => {
    if (error.code.startsWith('backup_name_')) {
      setRefused(refusalIn(labels, error));
      input.current?.focus();
    } else setProblem([failed, refusalIn(labels, error)]);
    return true;
  };
  const submit = async () => {
    if (wrong) {
      input.current?.focus();
      return false;
    }
    setProblem(null);
    if (!backup) return await createBackup(op_id, given, onRefused);
    return given === backup.name || (await renameBackup(backup.id, given, onRefused));
  };
  return (
    <FormDialog
      title={t(backup ? 'backup.rename_title' : 'backup.create')}
      action={t(backup ? 'backup.rename' : 'backup.create')}
      {...{ whyNot, problem, submit, done }}
    >
      {!backup && <p className="dim">{t('backup.create_text')}</p>}
      <div className="field">
        <label htmlFor={id}>{t('backup.name')}</label>
        <input
          ref={input}
          className="in"
          id={id}
          dir="auto"
          value={name}
          placeholder={backup ? undefined : defaultBackupName(backups.map((one) => one.name))}
          autoComplete="off"
          data-first
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${id}-wrong ${id}-hint`}
          onChange={(event) => {
            setName(event.target.value);
            setRefused(null);
          }}
        />
        <span className="hint bad" id={`${id}-wrong`} aria-live="polite">
          {wrong}
        </span>
        <span className="hint row" id={`${id}-hint`}>
          {!backup && t('backup.name_hint')}{' '}
          <span className="push">
            {t('servers.figure_of', { now: number([...given].length), most: number(most_letters) })}
          </span>
        </span>
      </div>
    </FormDialog>
  );
}
