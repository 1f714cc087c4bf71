import { useStore } from '@nanostores/react';
import { type FormEvent, useId, useState } from 'react';
import type { LoaderSpec } from '#db/hosting/servers/content/change-work.ts';
import { hasLoaderVersions, isSameLoader, storedLoader } from '#db/hosting/servers/content/loader-rules.ts';
import { whyNotOperate } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { refusalText } from '../../../shared/refusal-text.ts';
import type { Result } from '../../../shared/request.ts';
import { factsOf, stopsFirst } from '../../../shared/state.ts';
import { $connection } from '../../core/panel.store.ts';
import { changeLoader } from './actions.ts';
import { LoaderPickers } from './LoaderPickers.tsx';
import { $waiting } from './loader.store.ts';
import { Outlook } from './Outlook.tsx';

interface Props {
  server: ServerView;
  known: Result<'loader.show'>;
}

/** Chooses another game version or loader, with a backup before, and says what will happen. */
export function ChangeForm({ server, known }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const id = useId();
  const line = useStore($connection);
  const waiting = useStore($waiting);
  const { game_version, loader, loader_version } = server;
  const now: LoaderSpec = { game_version, loader: storedLoader(loader), loader_version };
  const [to, setTo] = useState(now);
  const [sent, setSent] = useState({ choice: '', op_id: '' });
  const [backup, setBackup] = useState(true);
  const [erase, setErase] = useState(false);
  const [isSure, setSure] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (next: LoaderSpec) => {
    setProblem(null);
    setTo(next);
  };
  const code = whyNotOperate(factsOf(server));
  const whyNot =
    line !== 'open'
      ? t('servers.line_lost')
      : code
        ? refusalText(labels, { error: code, description: '' })
        : isSameLoader(now, to) && !erase
          ? t('loader.nothing_changes')
          : erase && !isSure
            ? t('loader.erase_confirm_needed')
            : null;
  const stops = stopsFirst(server);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (whyNot !== null || waiting) return;
    setProblem(null);
    const change = { ...to, loader_version: hasLoaderVersions(to.loader) ? to.loader_version : null };
    const wanted = { ...change, erase, backup, stop: stops };
    // another attempt at the same choice is the same change
    const choice = JSON.stringify(wanted);
    const op_id = sent.choice === choice ? sent.op_id : crypto.randomUUID();
    setSent({ choice, op_id });
    const isBegun = await changeLoader({ op_id, ...wanted }, (error) => {
      setProblem(error.description || t('servers.line_lost'));
      return true;
    });
    if (!isBegun) return;
    setSent({ choice: '', op_id: '' });
    setErase(false);
    setSure(false);
  };
  return (
    <form className="stack" aria-labelledby={id} noValidate onSubmit={(event) => void submit(event)}>
      <h2 id={id}>{t('loader.change_title')}</h2>
      <LoaderPickers {...{ known, to, choose }} />
      <Check checked={backup} set={setBackup} label={t('loader.backup')}>
        {t(backup ? 'loader.backup_text' : 'loader.backup_off')}
      </Check>
      <Check
        checked={erase}
        set={(isErased) => {
          setErase(isErased);
          setSure(false);
        }}
        label={t('loader.erase')}
      >
        {t('loader.erase_text')}
      </Check>
      {erase && <Check checked={isSure} set={setSure} label={t('loader.erase_confirm')} />}
      {(erase || !isSameLoader(now, to)) && <Outlook {...{ now, to, backup, erase, stops }} />}
      <div role="alert">
        {problem && (
          <div className="say bad">
            <Icon name="critical" />
            <b>{t('loader.failed')}</b>
            <p>{problem}</p>
          </div>
        )}
      </div>
      <div className="row">
        <button
          className={erase ? 'btn danger' : 'btn primary'}
          type="submit"
          aria-disabled={whyNot !== null}
          aria-busy={waiting === 'change'}
          aria-describedby={whyNot === null ? undefined : `${id}-why`}
        >
          {t('loader.change')}
        </button>
        {whyNot && (
          <span className="meta" id={`${id}-why`}>
            {whyNot}
          </span>
        )}
      </div>
    </form>
  );
}

interface CheckProps {
  checked: boolean;
  set(checked: boolean): void;
  label: string;
  children?: string;
}

function Check({ checked, set, label, children }: CheckProps) {
  const id = useId();
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={children ? id : undefined}
          onChange={(event) => set(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {children && (
        <span className="hint" id={id}>
          {children}
        </span>
      )}
    </div>
  );
}
