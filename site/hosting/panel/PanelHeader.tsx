import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { later } from '../../platform/ui/later.tsx';
import { Badge } from '../shared/Badge.tsx';
import { Icon } from '../shared/Icon.tsx';
import { loaderName } from '../shared/loader-name.ts';
import { ServerGlyph } from '../shared/ServerGlyph.tsx';
import { hasCrashCard, whileActing } from '../shared/state.ts';
import { useAddresses } from '../shared/use-address.ts';
import type { Confirmation } from '../shared/use-confirm.tsx';
import { covered_text } from './Copied.tsx';
import { useAllowed } from './core/access.ts';
import { $present, $unreportedAction } from './core/panel.store.ts';
import { More } from './More.tsx';
import { Power } from './Power.tsx';
import type { PaidTime } from './paid-time.ts';
import type { PanelTabId } from './tabs.ts';
import { Uptime } from './Uptime.tsx';

const Naming = later(async () => (await import('./Naming.tsx')).Naming);
/** Most people are alone there. */
const Present = later(async () => (await import('./Present.tsx')).Present);

interface Props {
  server: ServerView;
  current: PanelTabId;
  paid: PaidTime | null;
  ask(question: Confirmation): void;
}

/** Name, state and a few facts of a server, and its power buttons. */
export function PanelHeader({ server, paid, current, ask }: Props) {
  const [isNaming, setNaming] = useState(false);
  const acting = useStore($unreportedAction);
  const isShared = useStore($present).length > 1;
  const mayRename = useAllowed(whyNotHave.options);
  return (
    <header className="shead">
      <ServerGlyph id={server.id} icon={server.icon} />
      <div>
        <div className="named">
          <div className={isNaming ? 'row wrap away' : 'row wrap'}>
            <h1>
              <bdi>{server.name}</bdi>
            </h1>
            <Badge server={whileActing(server, acting)} />
            {mayRename && <RenameButton act={() => setNaming(true)} />}
          </div>
          {isNaming && <Naming server={server} done={() => setNaming(false)} />}
        </div>
        <Facts server={server} />
      </div>
      <div className="acts">
        {isShared && <Present />}
        {/* the crash card has a button of its own */}
        {!(current === 'overview' && hasCrashCard(server)) && (
          <Power server={server} ask={ask} primary={current !== 'backups' && current !== 'options'} />
        )}
        <More server={server} paid={paid} ask={ask} />
      </div>
    </header>
  );
}

function RenameButton({ act }: { act(): void }) {
  const { t } = useMessages();
  return (
    <button
      className="btn quiet s icon"
      type="button"
      aria-label={t('servers.rename')}
      data-tip={t('servers.rename')}
      onClick={act}
    >
      <Icon name="rename" />
    </button>
  );
}

function Facts({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const { addresses, hidden } = useAddresses(server);
  return (
    <div className="tags">
      <span>
        <Icon name="version" />
        <span className="hide">{t('servers.version')}</span> <bdi>{server.game_version}</bdi>
      </span>
      <span>
        <Icon name="loader" />
        <span className="hide">{t('servers.loader')}</span> <bdi>{loaderName(labels, server.loader)}</bdi>
      </span>
      {addresses.map((address) => (
        <button
          key={address}
          className="mono copy"
          type="button"
          data-copy={address}
          data-copied={t('servers.copied')}
          data-tip={t('servers.copy_address')}
        >
          <Icon name="address" />
          <span className="hide">{t('servers.copy_address')}</span>{' '}
          <bdi dir="ltr">{hidden ? covered_text : address}</bdi>
          <Icon name="copy" />
        </button>
      ))}
      {server.started_at && ['running', 'starting', 'stopping'].includes(server.state) && (
        <span>
          <Icon name="uptime" />
          <span className="hide">{t('servers.uptime')}</span> <Uptime since={server.started_at} />
        </span>
      )}
    </div>
  );
}
