import type { ServerView } from '#db/servers/view.ts';
import { useWords } from './Words.tsx';

/** The way back to all servers. */
export function Back() {
  const { say, link } = useWords();
  return (
    <nav className="crumbs" aria-label={say('servers.to_list')}>
      <a href={link('/servers/manage')}>{say('servers.title')}</a>
    </nav>
  );
}

/** The parts of a server that have pages of their own. */
export function Parts({ server }: { server: ServerView }) {
  const { say, link } = useWords();
  const here = `/servers/manage/${server.id}`;
  return (
    <nav className="tabs" aria-label={say('servers.parts')}>
      <a href={link(here)} aria-current="page">
        {say('servers.overview')}
      </a>
      <a href={link(`${here}/options/billing`)}>{say('servers.billing')}</a>
    </nav>
  );
}
