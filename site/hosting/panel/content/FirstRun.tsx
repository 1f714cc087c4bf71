import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { useAllowed } from '../core/access.ts';
import { addressOfCatalogue } from './catalogue.ts';
import { $changes, $content, followContent } from './content.store.ts';
import { dismissFirstRun, isFirstRunDismissed } from './first-run.ts';

interface Way {
  title: MessageKey;
  text: MessageKey;
  path: string;
}

/** What a new server can become. Mods and plugins need a loader, which comes first. */
function waysOf(server: ServerView, types: readonly string[]): Way[] {
  const loader = `/servers/manage/${server.id}/options/loader`;
  const to = (type: 'mod' | 'plugin') => (types.includes(type) ? addressOfCatalogue(server, type) : loader);
  return [
    {
      title: 'server_content.first_modpack',
      text: 'server_content.first_modpack_text',
      path: addressOfCatalogue(server, 'modpack'),
    },
    {
      title: 'server_content.first_mods',
      text: types.includes('mod') ? 'server_content.first_mods_text' : 'server_content.first_loader_text',
      path: to('mod'),
    },
    {
      title: 'server_content.first_plugins',
      text: types.includes('plugin')
        ? 'server_content.first_plugins_text'
        : 'server_content.first_loader_text',
      path: to('plugin'),
    },
  ];
}

/** Asks what a new server is for, until it has content or its owner says that it needs none. */
export function FirstRun({ server }: { server: ServerView }) {
  const { t, link } = useMessages();
  const content = useStore($content);
  const changes = useStore($changes);
  const [isDismissed, setDismissed] = useState(() => isFirstRunDismissed(server.id));
  const [wish] = useState(() => wishOf(location.search));
  const mayChoose = useAllowed(whyNotHave.content);
  useEffect(followContent, []);
  const isFresh = content?.items.length === 0 && content.pack === null && changes.length === 0;
  if (!isFresh || isDismissed || !mayChoose) return null;
  return (
    <section className="first-run" aria-labelledby="first-run">
      <header className="row">
        <h2 id="first-run">{t('server_content.first_title')}</h2>
        <button
          className="btn quiet s push"
          type="button"
          onClick={() => {
            dismissFirstRun(server.id);
            setDismissed(true);
          }}
        >
          {t('server_content.first_nothing')}
        </button>
      </header>
      {wish && (
        <p className="say note">
          <Icon name="info" />
          <b>{t('server_content.first_wish')}</b>
          <a className="btn primary" href={link(`/servers/manage/${server.id}/content?${wish}`)}>
            {t('server_content.first_wish_go')}
          </a>
        </p>
      )}
      <ul>
        {waysOf(server, content.types).map(({ title, text, path }) => (
          <li key={title}>
            <a href={link(path)}>
              <b>{t(title)}</b>
              <span className="meta">{t(text)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the server was ordered for, as the content page understands it; null when the address says nothing. */
function wishOf(search: string): string | null {
  const query = new URLSearchParams(search);
  const given = ['install', 'version', 'pack'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return query.has('install') ? `${new URLSearchParams(given)}` : null;
}
