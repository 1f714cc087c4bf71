import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../text/MessagesContext.tsx';
import type { Confirmation } from '../shared/ConfirmDialog.tsx';
import { $suppressed, unsuppress } from '../shared/confirmations.store.ts';
import { Icon } from '../shared/Icon.tsx';
import { addressText } from '../shared/state.ts';
import { remove } from './actions.ts';
import { powerQuestion, whyNot } from './Power.tsx';
import { $connection, $pendingAction } from './panel.store.ts';

/** Rarely used actions: kill, copy, reset confirmations, delete. */
export function More({ server, ask }: { server: ServerView; ask(question: Confirmation): void }) {
  const labels = useMessages();
  const { t } = labels;
  const acting = useStore($pendingAction);
  const isOpen = useStore($connection) === 'open';
  const unasked = useStore($suppressed);
  const whyNotKill = whyNot(labels, server, 'kill', acting, isOpen);
  const address = addressText(server);
  return (
    <details className="pop" data-menu>
      <summary className="btn quiet icon" aria-label={t('servers.more')}>
        <Icon name="more" />
      </summary>
      {/* an action closes the menu */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle the keys */}
      <ul className="menu" onClick={closeMenu}>
        <li>
          <button
            type="button"
            aria-disabled={whyNotKill !== null}
            data-tip={whyNotKill ?? undefined}
            onClick={() => ask(powerQuestion(labels, 'kill'))}
          >
            <Icon name="kill" />
            {t('servers.power_kill')}
          </button>
        </li>
        <li>
          <hr />
        </li>
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
          <a href={labels.link(`/servers/manage/${server.id}/options/billing`)}>
            <Icon name="pay" />
            {t('servers.billing')}
          </a>
        </li>
        {unasked.length > 0 && (
          <li>
            <button type="button" onClick={unsuppress}>
              <Icon name="survey" />
              {t('servers.ask_again')}
            </button>
          </li>
        )}
        <li>
          <hr />
        </li>
        <li>
          <button
            className="bad"
            type="button"
            aria-disabled={!isOpen}
            data-tip={isOpen ? undefined : t('servers.line_lost')}
            onClick={() => ask(deleteQuestion(server))}
          >
            <Icon name="remove" />
            {t('servers.delete')}
          </button>
        </li>
      </ul>
    </details>
  );

  function deleteQuestion({ name }: ServerView): Confirmation {
    return {
      title: t('servers.ask_delete'),
      text: t('servers.ask_delete_text'),
      action: t('servers.delete'),
      typed: { label: t('servers.delete_type_name'), text: name },
      act: async () => {
        if (await remove()) location.assign(labels.link('/servers/manage'));
      },
    };
  }
}

function closeMenu({ currentTarget, target }: MouseEvent<HTMLElement>): void {
  const pressed = (target as Element).closest('button');
  const menu = currentTarget.closest('details');
  if (!pressed || pressed.dataset.copy !== undefined || !menu) return;
  menu.open = false;
}
