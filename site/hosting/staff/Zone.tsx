import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { $stale, askStaff, openStaffPage } from '../nodes/staff.store.ts';
import { Alert } from '../shared/Alert.tsx';
import { Icon } from '../shared/Icon.tsx';

interface Props {
  /** The domain below which servers have names. */
  domain: string;
  messages: IslandMessages;
}
/** Lines that are shown: a zone may have a hundred thousand. */
const shown_lines = 200;

/** The DNS records of all servers with a name, to copy and to download. */
export const Zone = ({ messages, domain }: Props) => (
  <MessagesProvider messages={messages}>
    <Records domain={domain} />
  </MessagesProvider>
);

function Records({ domain }: { domain: string }) {
  const { t, count, number } = useMessages();
  const isStale = useStore($stale);
  const [zone, setZone] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async () => {
    const result = await askStaff('dns.zone', {});
    if (result.ok) setZone(result.data.zone);
    setProblem(result.ok ? null : result.error.description || t('nodes.lost_text'));
    return result.ok;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once
  useEffect(() => openStaffPage(() => {}, read), []);
  const lines = zone?.trimEnd().split('\n') ?? [];
  const download = () => {
    const address = URL.createObjectURL(new Blob([zone ?? ''], { type: 'text/dns' }));
    Object.assign(document.createElement('a'), { href: address, download: `${domain}.zone` }).click();
    URL.revokeObjectURL(address);
  };
  return (
    <>
      <p className="dim">{t('staff_servers.dns_text')}</p>
      <div className="troubles" aria-live="polite">
        {(problem ?? isStale) && (
          <Alert tone="warn" title={t(problem ? 'nodes.failed' : 'nodes.lost')}>
            {problem ?? t('nodes.lost_text')}
          </Alert>
        )}
      </div>
      <div className="row wrap more-pages">
        <span className="meta" role="status">
          {zone === null ? t('staff_servers.loading') : count('staff_servers.dns_lines', lines.length)}
        </span>
        <button
          className="btn"
          type="button"
          aria-disabled={zone === null}
          data-copy={zone ?? undefined}
          data-copied={t('servers.copied')}
        >
          <Icon name="copy" />
          {t('staff_servers.dns_copy')}
        </button>
        <button
          className="btn"
          type="button"
          aria-disabled={zone === null}
          onClick={() => zone !== null && download()}
        >
          <Icon name="bottom" />
          {t('staff_servers.dns_download')}
        </button>
        <button className="btn quiet" type="button" onClick={() => void read()}>
          <Icon name="restart" />
          {t('staff_servers.dns_again')}
        </button>
      </div>
      {zone !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
        <pre className="zone" dir="ltr" translate="no" tabIndex={0}>
          {lines.slice(0, shown_lines).join('\n')}
        </pre>
      )}
      {lines.length > shown_lines && (
        <p className="meta">{t('staff_servers.dns_begin', { number: number(shown_lines) })}</p>
      )}
    </>
  );
}
