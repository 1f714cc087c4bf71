import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { whyNotName } from '#db/hosting/servers/name.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { rename } from '../../core/actions.ts';
import { $connection } from '../../core/panel.store.ts';

/** The name of the server, which everybody on it sees. */
export function NamePart({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const [name, setName] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isOpen = useStore($connection) === 'open';
  const shown = name ?? server.name;
  const isWrong = whyNotName(shown) !== null;
  const isChanged = shown.trim() !== server.name;
  const save = async () => {
    if (isWrong || !isChanged || isSaving) return;
    setSaving(true);
    await rename(shown.trim(), () => setName(null));
    setSaving(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="field">
        <label htmlFor="server-name">{t('server_general.name')}</label>
        <div className="row">
          <input
            className="in"
            id="server-name"
            dir="auto"
            autoComplete="off"
            maxLength={100}
            value={shown}
            aria-invalid={isWrong || undefined}
            aria-describedby="server-name-hint"
            onChange={({ target }) => setName(target.value)}
          />
          <button
            className="btn"
            type="submit"
            disabled={!isOpen || isWrong || !isChanged || isSaving}
            aria-busy={isSaving}
          >
            {t('server_general.save')}
          </button>
        </div>
        <p className={isWrong ? 'hint bad' : 'hint'} id="server-name-hint">
          {t(isWrong ? 'error.server_name_length' : 'server_general.name_hint')}
        </p>
      </div>
    </form>
  );
}
