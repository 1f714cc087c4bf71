import { useState } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { rename } from './core/actions.ts';

/** Renames the server in its header. */
export function Naming({ server, done }: { server: ServerView; done(): void }) {
  const { t } = useMessages();
  const [name, setName] = useState(server.name);
  return (
    <form
      className="row naming"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === server.name) done();
        else void rename(name.trim(), done);
      }}
      onKeyDown={(event) => event.key === 'Escape' && done()}
    >
      <h1 className="hide">{server.name}</h1>
      <input
        className="in"
        dir="auto"
        value={name}
        maxLength={48}
        required
        aria-label={t('servers.name')}
        // biome-ignore lint/a11y/noAutofocus: one pressed "rename"
        autoFocus
        onChange={(event) => setName(event.target.value)}
      />
      <button className="btn s" type="submit">
        {t('servers.save')}
      </button>
      <button className="btn quiet s" type="button" onClick={done}>
        {t('servers.cancel')}
      </button>
    </form>
  );
}
