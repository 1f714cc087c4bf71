import { useStore } from '@nanostores/react';
import { whyNotCancelMove, whyNotMove } from '#db/hosting/servers/moves/rules.ts';
import { whyNotResize, whyNotResume, whyNotSuspend } from '#db/hosting/servers/rules.ts';
import type { StaffServer } from '#db/hosting/servers/staff/view.ts';
import type { RefusalCode } from '#db/platform/errors.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Menu, MenuItem, MenuLine } from '../../platform/ui/Menu.tsx';
import { $stale, askStaff } from '../nodes/staff.store.ts';
import { Icon } from '../shared/Icon.tsx';
import { refusalText } from '../shared/refusal-text.ts';
import { type OpenDialog, staffFacts } from './server-dialogs.ts';
import { showServer } from './servers.store.ts';

interface Props {
  of: StaffServer;
  open(dialog: OpenDialog): void;
}

/** What staff do with a server: the way to its panel, and the rest in a menu, each as its rule allows it. */
export function ServerActions({ of, open }: Props) {
  const labels = useMessages();
  const { t, link } = labels;
  const lost = useStore($stale) ? t('nodes.lost') : null;
  const { server } = of;
  const { id, name, lifecycle, lifecycle_data } = server;
  const facts = staffFacts(of);
  const why = (code: RefusalCode | null) =>
    lost ?? (code && refusalText(labels, { error: code, description: t('nodes.failed') }));
  const whyNotEnd = whyNotResume(server as { lifecycle: typeof facts.lifecycle }, lifecycle_data.reason);
  const isSuspended = lifecycle === 'suspended';
  const resume = () =>
    void mutate({
      send: () => askStaff('server.resume', { server_id: id }),
      repeatable: true,
      refresh: ({ server: view }) => showServer(view),
      success: { title: t('staff_servers.resumed'), text: t('staff_servers.resumed_text') },
    });
  // backups that would be lost are asked for in the dialog
  const whyNotGo = whyNotMove(facts, { busy: false, kept_backups: 0 });
  return (
    <div className="acts">
      <a
        className="btn s quiet"
        href={link(`/servers/manage/${id}`)}
        aria-label={t('staff_servers.panel_of', { name })}
      >
        {t('staff_servers.panel')}
      </a>
      <Menu look="btn quiet s icon" label={t('servers.more_of', { name })} button={<Icon name="more" />}>
        {server.moving ? (
          <MenuItem
            whyNot={why(whyNotCancelMove(of.move_step))}
            act={() => open({ kind: 'cancel_move', of })}
            icon={<Icon name="close" />}
          >
            {t('staff_servers.cancel_move')}
          </MenuItem>
        ) : (
          <MenuItem
            whyNot={why(whyNotGo)}
            act={() => open({ kind: 'move', of })}
            icon={<Icon name="command" />}
          >
            {t('staff_servers.move')}
          </MenuItem>
        )}
        <MenuItem
          whyNot={why(whyNotResize(facts))}
          act={() => open({ kind: 'resize', of })}
          icon={<Icon name="full" />}
        >
          {t('staff_servers.resize')}
        </MenuItem>
        <MenuLine />
        {isSuspended && (
          <MenuItem
            whyNot={lost ?? (whyNotEnd && t('staff_servers.billing_ends'))}
            act={resume}
            icon={<Icon name="start" />}
          >
            {t('staff_servers.resume')}
          </MenuItem>
        )}
        <MenuItem
          whyNot={why(whyNotSuspend(facts))}
          act={() => open({ kind: 'suspend', of })}
          icon={<Icon name="barred" />}
          isBad
        >
          {t(isSuspended ? 'staff_servers.suspend_again' : 'staff_servers.suspend')}
        </MenuItem>
      </Menu>
    </div>
  );
}
