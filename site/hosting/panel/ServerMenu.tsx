import type { ReactNode } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Menu } from '../../platform/ui/Menu.tsx';
import { Icon } from '../shared/Icon.tsx';
import { useAddress } from '../shared/use-address.ts';

interface Props {
  server: ServerView;
  /** Name of its button. */
  label: string;
  /** Whether it is the user's own: only then its billing is offered. */
  isOwner: boolean;
  /** Items before and after those that every menu of a server has. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The menu of a server: copies of address and ID, and its billing. */
export function ServerMenu({ server, label, isOwner, before, after }: Props) {
  const { t, link } = useMessages();
  const { address } = useAddress(server);
  return (
    <Menu label={label} button={<Icon name="more" />}>
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
      {isOwner && (
        <li>
          <a href={link(`/servers/manage/${server.id}/options/billing`)}>
            <Icon name="pay" />
            {t('servers.billing')}
          </a>
        </li>
      )}
      {after}
    </Menu>
  );
}
