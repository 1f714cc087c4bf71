import { useState } from 'react';
import type { NetworkView } from '#db/hosting/servers/network/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { waitsForRestart } from '../../../shared/state.ts';
import type { Confirmation } from '../../../shared/use-confirm.tsx';
import { ltr } from './left-to-right.ts';
import { changeNetwork } from './network.store.ts';
import { PortDialog } from './PortDialog.tsx';

interface Props {
  server: ServerView;
  network: NetworkView;
  ask(question: Confirmation): void;
}

/** The port of the game and the extra ports of a server. */
export function Ports({ server, network, ask }: Props) {
  const { t, number, count } = useMessages();
  const [edited, setEdited] = useState<NetworkView['ports'][number] | 'new' | null>(null);
  const { address, ports, most, open_until_restart: open, agent_outdated } = network;
  const left = most - ports.length;
  const remove = (port: number, name: string) =>
    ask({
      title: t('server_network.ask_remove', { name: `\u2068${name}\u2069`, port: ltr(port) }),
      text: t('server_network.ask_remove_text'),
      action: t('server_network.remove_port'),
      act: () => void changeNetwork('network.remove_port', { port }),
    });
  return (
    <section aria-labelledby="ports">
      <div className="head">
        <h2 id="ports">{t('server_network.ports')}</h2>
        <button
          className="btn"
          type="button"
          disabled={!address || left <= 0 || agent_outdated}
          onClick={() => setEdited('new')}
        >
          <Icon name="add" />
          {t('server_network.add_port')}
        </button>
      </div>
      <p className="hint">{t('server_network.ports_hint', { most: number(most) })}</p>
      {agent_outdated && (
        <Alert tone="warn" title={t('server_network.agent_outdated')}>
          {t('server_network.agent_outdated_text')}
        </Alert>
      )}
      {waitsForRestart(server) && (ports.length > 0 || open.length > 0) && (
        <p className="say note">
          {open.length > 0
            ? t('server_network.open_until_restart', { ports: open.map(ltr).join(', ') })
            : t('server_network.after_restart')}
        </p>
      )}
      <ul className="ports">
        <li>
          <code dir="ltr">{address ? address.port : '-'}</code>
          <div>
            <b>{t('server_network.game_port')}</b>
            <span className="hint">
              {t(address ? 'server_network.game_port_hint' : 'server_network.not_placed')}
            </span>
          </div>
        </li>
        {ports.map((one) => (
          <li key={one.port}>
            <code dir="ltr">{one.port}</code>
            <div>
              <b>
                <bdi>{one.name}</bdi>
              </b>
              <span className="hint">{t('server_network.extra_port_hint')}</span>
            </div>
            <div className="acts">
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('server_network.rename_named', { name: `\u2068${one.name}\u2069` })}
                data-tip={t('server_network.rename_port')}
                onClick={() => setEdited(one)}
              >
                <Icon name="rename" />
              </button>
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('server_network.remove_named', { name: `\u2068${one.name}\u2069` })}
                data-tip={t('server_network.remove_port')}
                onClick={() => remove(one.port, one.name)}
              >
                <Icon name="remove" />
              </button>
            </div>
          </li>
        ))}
      </ul>
      <p className="hint">
        {ports.length === 0 ? t('server_network.no_ports') : count('server_network.ports_left', left)}
      </p>
      {edited && (
        <PortDialog
          edited={edited}
          names={ports.filter((one) => one !== edited).map(({ name }) => name)}
          done={() => setEdited(null)}
        />
      )}
    </section>
  );
}
