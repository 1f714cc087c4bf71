import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { ChangeNews } from '../../hosting/panel/content/ChangeNews.tsx';
import { addressOfCatalogue } from '../../hosting/panel/content/catalogue.ts';
import { $changes, $dialog, followContent } from '../../hosting/panel/content/content.store.ts';
import { whyNotChangeContent } from '../../hosting/panel/content/why-not.ts';
import { openConnection } from '../../hosting/panel/core/open-panel.ts';
import { $connection, $server } from '../../hosting/panel/core/panel.store.ts';
import { loadSuppressed } from '../../hosting/shared/confirmations.store.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { hydrateIslands } from '../../platform/ui/client-interaction.ts';
import { later } from '../../platform/ui/later.tsx';
import { $chip, $hitAction } from '../search/extensions.store.ts';
import { InstallAction } from './InstallAction.tsx';
import { InstallBar } from './InstallBar.tsx';
import type { InstallType } from './install-prefixes.ts';
import { LockableChip } from './LockableChip.tsx';
import { $locked, $type } from './lock.store.ts';

const Dialogs = later(async () => (await import('../../hosting/panel/content/dialogs/Dialogs.tsx')).Dialogs);

interface InstallModeProps {
  server_id: string;
  type: InstallType;
  messages: IslandMessages;
  query: string;
}

/** Choosing content for a server on a search page: the bar above the results, a button for each, and their dialogs. */
export function InstallMode({ server_id, type, messages, query }: InstallModeProps) {
  useEffect(() => {
    $type.set(type);
    loadSuppressed();
    openConnection(server_id);
    $hitAction.set(({ hit }) => (
      <MessagesProvider messages={messages} query={query}>
        <InstallAction hit={hit} />
      </MessagesProvider>
    ));
    $chip.set(({ chip }) => (
      <MessagesProvider messages={messages} query={query}>
        <LockableChip chip={chip} />
      </MessagesProvider>
    ));
    const form = document.querySelector<HTMLElement>('[data-search]');
    if (form) hydrateIslands(form);
    const ends = [followContent(), $locked.subscribe(lockFilters), $server.subscribe(linkTypes)];
    return () => {
      for (const end of ends) end();
    };
  }, [server_id, type, messages, query]);
  return (
    <MessagesProvider messages={messages} query={query}>
      <Mode server_id={server_id} />
    </MessagesProvider>
  );
}

function Mode({ server_id }: { server_id: string }) {
  const labels = useMessages();
  const server = useStore($server);
  const changes = useStore($changes);
  const dialog = useStore($dialog);
  const line = useStore($connection);
  const isOpen = line === 'open';
  const whyNot = server && whyNotChangeContent(labels, { server, changes, isOpen });
  return (
    <section className="page installing" aria-label={labels.t('server_content.choosing')}>
      <InstallBar server_id={server_id} />
      {server && <ChangeNews {...{ server, changes, isOpen }} />}
      {server && dialog && <Dialogs dialog={dialog} server={server} whyNot={whyNot} />}
    </section>
  );
}

/** On the rest of the page, the groups of filters that are locked cannot be used. */
function lockFilters(locked: readonly string[]): void {
  for (const group of document.querySelectorAll('[data-filters] > div > details')) {
    const field = group.querySelector<HTMLInputElement>('.filter input')?.name;
    group.toggleAttribute('inert', locked.length > 0 && (field === 'g' || field === 'v'));
  }
}

/** The links to other types lead to what fits the server among these. */
function linkTypes(server: ServerView | null): void {
  if (!server) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-kinds] a')) {
    const type = link.pathname.slice(1).replace(/s$/, '');
    if (!isInstallType(type)) {
      link.hidden = true;
      continue;
    }
    const query = new URLSearchParams(addressOfCatalogue(server, type).split('?')[1]);
    for (const [name, value] of new URLSearchParams(link.search))
      if (!query.has(name)) query.append(name, value);
    link.search = `${query}`;
  }
}
const isInstallType = (type: string): type is InstallType =>
  ['mod', 'plugin', 'datapack', 'modpack'].includes(type);
