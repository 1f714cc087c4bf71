import { useStore } from '@nanostores/react';
import { whyNotChange } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { MenuItem, MenuLine } from '../../platform/ui/Menu.tsx';
import { $suppressed, unsuppress } from '../shared/confirmations.store.ts';
import { Icon } from '../shared/Icon.tsx';
import type { Confirmation } from '../shared/use-confirm.tsx';
import { useAllowed } from './core/access.ts';
import { $connection, $pendingAction } from './core/panel.store.ts';
import { powerQuestion, whyNot } from './Power.tsx';
import type { PaidTime } from './paid-time.ts';
import { ServerMenu } from './ServerMenu.tsx';

interface Props {
  server: ServerView;
  paid: PaidTime | null;
  ask(question: Confirmation): void;
}

/** Rarely used actions: kill, copy, reset confirmations, delete. */
export function More({ server, paid, ask }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const acting = useStore($pendingAction);
  const isOpen = useStore($connection) === 'open';
  const unasked = useStore($suppressed);
  const isOwner = useAllowed(whyNotChange);
  const whyNotKill = whyNot(labels, server, 'kill', acting, isOpen);
  return (
    <ServerMenu
      server={server}
      label={t('servers.more')}
      isOwner={isOwner}
      before={
        <>
          <MenuItem
            icon={<Icon name="kill" />}
            whyNot={whyNotKill}
            act={() => ask(powerQuestion(labels, 'kill'))}
          >
            {t('servers.power_kill')}
          </MenuItem>
          <MenuLine />
        </>
      }
      after={
        <>
          {unasked.length > 0 && (
            <MenuItem icon={<Icon name="survey" />} act={unsuppress}>
              {t('servers.ask_again')}
            </MenuItem>
          )}
          {isOwner && <MenuLine />}
          {isOwner && (
            <MenuItem
              icon={<Icon name="remove" />}
              whyNot={isOpen ? null : t('servers.line_lost')}
              isBad
              act={async () =>
                ask((await import('./delete-question.ts')).deleteQuestion(labels, server, paid))
              }
            >
              {t('servers.delete')}
            </MenuItem>
          )}
        </>
      }
    />
  );
}
