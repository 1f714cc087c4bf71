import { useStore } from '@nanostores/react';
import { useCallback, useState } from 'react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { regionNames } from '../../../checkout/region-names.ts';
import { loaderName } from '../../../shared/loader-name.ts';
import { useAddress } from '../../../shared/use-address.ts';
import { Copied } from '../../Copied.tsx';
import { useAllowed } from '../../core/access.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { $connection } from '../../core/panel.store.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import { SftpCard } from '../../files/SftpCard.tsx';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';

/** What programs and people who help ask for: addresses, IDs, versions, and a bundle of facts. */
export const Info = (props: PanelProps) => (
  <OptionsFrame {...props} option="info">
    {(server) => (
      <div className="stack info">
        <Facts server={server} />
        <Sftp server={server} />
        <Bundle />
        <Everything server_id={server.id} />
      </div>
    )}
  </OptionsFrame>
);

function Facts({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const { address, hidden } = useAddress(server);
  const direct = server.address && `${server.address.host}:${server.address.port}`;
  const { loader, loader_version } = server;
  const software = [loaderName(labels, loader), loader && loader_version].filter(Boolean).join(' ');
  const region = regionNames[server.region as keyof typeof regionNames];
  return (
    <section className="stack" aria-labelledby="info-facts">
      <h2 id="info-facts">{t('server_info.facts')}</h2>
      <dl className="copies">
        {address && <Copied name={t('server_info.address')} value={address} covered={hidden} />}
        {direct && direct !== address && (
          <Copied name={t('server_info.direct')} value={direct} covered={hidden} />
        )}
        <Copied name={t('server_info.id')} value={server.id} />
        <Copied name={t('server_info.game_version')} value={server.game_version} />
        <Copied name={t('server_info.software')} value={software} />
        {server.node && <Copied name={t('server_info.node')} value={server.node} />}
        <Copied name={t('server_info.region')} value={region ? t(region) : server.region} />
      </dl>
    </section>
  );
}

function Sftp({ server }: { server: ServerView }) {
  const { t } = useMessages();
  // once it is there it stays: a password that was just made is nowhere else
  const [hasOpened, setOpened] = useState(false);
  useWithConnection(useCallback(async () => setOpened(true), []));
  return (
    <div className="stack">
      <h2>{t('server_files.sftp')}</h2>
      {hasOpened ? <SftpCard server_id={server.id} /> : <p>{t('server_files.sftp_loading')}</p>}
    </div>
  );
}

/** A text with all that explains a problem, to read and to give to somebody. */
function Bundle() {
  const { t } = useMessages();
  const [isBusy, setBusy] = useState(false);
  const isOpen = useStore($connection) === 'open';
  const download = async () => {
    if (isBusy) return;
    setBusy(true);
    await mutate({
      send: () => requestFromPanel('debug.bundle', {}),
      repeatable: true,
      refresh({ file_name, text }) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
        link.download = file_name;
        link.click();
        URL.revokeObjectURL(link.href);
      },
    });
    setBusy(false);
  };
  return (
    <section className="stack" aria-labelledby="info-bundle">
      <h2 id="info-bundle">{t('server_info.bundle')}</h2>
      <p className="dim">{t('server_info.bundle_text')}</p>
      <p>
        <button
          className="btn"
          type="button"
          disabled={!isOpen || isBusy}
          aria-busy={isBusy}
          onClick={() => void download()}
        >
          {t('server_info.bundle_download')}
        </button>
      </p>
    </section>
  );
}

/** Where everything of the server becomes one archive, for those who may make it. */
function Everything({ server_id }: { server_id: string }) {
  const { t, link } = useMessages();
  if (!useAllowed(whyNotHave.backups)) return null;
  return (
    <section className="stack" aria-labelledby="info-export">
      <h2 id="info-export">{t('server_info.export')}</h2>
      <p className="dim">{t('server_info.export_text')}</p>
      <p>
        <a className="btn" href={`${link(`/servers/manage/${server_id}/backups`)}#backups-export`}>
          {t('server_info.export_open')}
        </a>
      </p>
    </section>
  );
}
