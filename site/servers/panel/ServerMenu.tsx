import type { MouseEvent, ReactNode } from 'react';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';
import { addressText } from '../shared/state.ts';

interface Props {
  server: ServerView;
  /** Name of its button. */
  label: string;
  /** Items before and after those that every menu of a server has. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The menu of a server: copies of address and ID, and its billing. */
export function ServerMenu({ server, label, before, after }: Props) {
  const { t, link } = useMessages();
  const address = addressText(server);
  return (
    <details className="pop" data-menu>
      <summary className="btn quiet icon" aria-label={label}>
        <Icon name="more" />
      </summary>
      {/* an action closes the menu */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle the keys */}
      <ul className="menu" onClick={closeMenu}>
        {before}
        {address && (
          <li>
            <button type="button" data-copy={address} data-copied={t('servers.copied')}>
              <Icon name="copy" />
              {t('servers.copy_address')}
            </button>
          </li>
        )}
        <li>
          <button type="button" data-copy={server.id} data-copied={t('servers.copied')}>
            <Icon name="copy" />
            {t('servers.copy_id')}
          </button>
        </li>
        <li>
          <a href={link(`/servers/manage/${server.id}/options/billing`)}>
            <Icon name="pay" />
            {t('servers.billing')}
          </a>
        </li>
        {after}
      </ul>
    </details>
  );
}

function closeMenu({ currentTarget, target }: MouseEvent<HTMLElement>): void {
  const pressed = (target as Element).closest('button');
  const menu = currentTarget.closest('details');
  if (!pressed || pressed.dataset.copy !== undefined || !menu) return;
  menu.open = false;
}
