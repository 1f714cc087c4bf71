import { useId, useState } from 'react';
import { max_reason_characters } from '#db/hosting/servers/players/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { changePlayers } from './players.store.ts';

interface ReasonDialogProps {
  action: 'kick' | 'ban';
  who: string;
  done(): void;
}

/** Disconnects or bans somebody, with a reason that they read. */
export function ReasonDialog({ action, who, done }: ReasonDialogProps) {
  const { t } = useMessages();
  const id = useId();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const submit = () =>
    changePlayers({ action, who, reason }, ({ description }) => {
      setProblem([t('server_players.change_failed'), description]);
      return true;
    });
  return (
    <FormDialog
      title={t(`server_players.named_${action}`, { name: who })}
      action={t(`server_players.do_${action}`)}
      danger={action === 'ban'}
      {...{ problem, submit, done }}
    >
      <p className="dim">{t(`server_players.about_${action}`)}</p>
      <div className="field">
        <label htmlFor={id}>{t('server_players.reason')}</label>
        <input
          className="in"
          id={id}
          dir="auto"
          value={reason}
          maxLength={max_reason_characters}
          autoComplete="off"
          data-first
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setReason(target.value)}
        />
        <span className="hint" id={`${id}-hint`}>
          {t('server_players.reason_hint')}
        </span>
      </div>
    </FormDialog>
  );
}
