import { useState } from 'react';
import type { SftpKeyView, SftpView } from '#db/hosting/servers/sftp/view.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { TextField } from '../../shared/TextField.tsx';
import { openedPanel } from '../core/open-panel.ts';
import { exactText } from './format.ts';

interface Props {
  server_id: string;
  keys: readonly SftpKeyView[];
  show(sftp: SftpView): void;
}

/** The public keys of the user for this server, and a place for another one. */
export function SftpKeys({ server_id, keys, show }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const isReady = name.trim() !== '' && key.trim() !== '';
  const add = async () => {
    const panel = openedPanel();
    if (!panel || !isReady) return;
    setProblem('');
    await mutate({
      send: () => panel.request('sftp.add_key', { server_id, name, public_key: key }),
      repeatable: true,
      refresh({ sftp }) {
        show(sftp);
        setName('');
        setKey('');
      },
      refused({ code, description }) {
        const isOurs = code.startsWith('sftp_key');
        if (isOurs) setProblem(description);
        return isOurs;
      },
    });
  };
  const remove = async (key_id: string) => {
    const panel = openedPanel();
    if (!panel) return;
    await mutate({
      send: () => panel.request('sftp.remove_key', { server_id, key_id }),
      refresh: ({ sftp }) => show(sftp),
    });
  };
  const usedText = ({ last_used }: SftpKeyView) =>
    last_used
      ? t('server_files.sftp_key_used', { when: exactText(labels, Date.parse(last_used)) })
      : t('server_files.sftp_key_unused');
  return (
    <div className="stack">
      <h3>{t('server_files.sftp_keys')}</h3>
      {keys.length === 0 && <p className="dim">{t('server_files.sftp_keys_none')}</p>}
      <ul className="sftp-keys">
        {keys.map((one) => (
          <li key={one.id}>
            <div>
              <b dir="auto">{one.name}</b>
              <code dir="ltr">{one.fingerprint}</code>
              <span className="meta">{usedText(one)}</span>
            </div>
            <button
              className="btn quiet s icon"
              type="button"
              aria-label={t('server_files.sftp_key_remove', { name: one.name })}
              onClick={() => remove(one.id)}
            >
              <Icon name="remove" />
            </button>
          </li>
        ))}
      </ul>
      <TextField label={t('server_files.sftp_key_name')} value={name} change={setName} limit={48} />
      <TextField
        label={t('server_files.sftp_key')}
        value={key}
        change={setKey}
        limit={8_000}
        hint={t('server_files.sftp_key_hint')}
        problem={problem}
      />
      <p>
        <button className="btn" type="button" aria-disabled={!isReady} onClick={add}>
          {t('server_files.sftp_key_add')}
        </button>
      </p>
    </div>
  );
}
