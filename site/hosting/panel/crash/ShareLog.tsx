import { useEffect, useId, useState } from 'react';
import { type LogLifetime, logLifetimeIds } from '#db/hosting/servers/logs/rules.ts';
import type { SharedLogView } from '#db/hosting/servers/logs/view.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { exactTime } from '../../shared/time.ts';
import { requestFromPanel } from '../core/open-panel.ts';

/** Shares a log by an unlisted address, and shows what is shared already. `path`: as for `Findings`. */
export function ShareLog({ path }: { path?: string | undefined }) {
  const { t } = useMessages();
  const id = useId();
  const [lifetime, setLifetime] = useState<LogLifetime>('1d');
  const [isSending, setSending] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [refused, setRefused] = useState('');
  const [logs, setLogs] = useState<readonly SharedLogView[]>([]);
  useEffect(() => {
    void requestFromPanel('logs.list', {}).then((result) => result.ok && setLogs(result.data.logs));
  }, []);
  const share = async () => {
    if (isSending) return;
    setSending(true);
    setRefused('');
    await mutate({
      send: () => requestFromPanel('logs.share', { lifetime, ...(path !== undefined && { path }) }),
      refresh(data) {
        setAddress(location.origin + data.log.path);
        setLogs(data.logs);
      },
      refused({ description }) {
        setRefused(description);
        return true;
      },
    });
    setSending(false);
  };
  return (
    <section className="stack share-log" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('crash_help.share')}</h3>
      <p className="dim">{t('crash_help.share_text')}</p>
      <div className="row">
        <label htmlFor={id}>{t('crash_help.share_until')}</label>
        <select
          className="in"
          id={id}
          value={lifetime}
          onChange={({ target }) => setLifetime(target.value as LogLifetime)}
        >
          {logLifetimeIds.map((one) => (
            <option key={one} value={one}>
              {t(`crash_help.for_${one}`)}
            </option>
          ))}
        </select>
        <button className="btn" type="button" aria-busy={isSending} onClick={() => void share()}>
          {t('crash_help.share_do')}
        </button>
      </div>
      <div aria-live="polite">
        {refused && (
          <Alert tone="bad" title={t('crash_help.share_failed')}>
            {refused}
          </Alert>
        )}
        {address && (
          <p className="shared-address">
            {t('crash_help.shared')}{' '}
            <a href={address} target="_blank" rel="noreferrer" dir="ltr">
              {address}
            </a>{' '}
            <button
              className="btn quiet s"
              type="button"
              data-copy={address}
              data-copied={t('servers.copied')}
            >
              <Icon name="copy" />
              {t('crash_help.copy')}
            </button>
          </p>
        )}
      </div>
      {logs.length > 0 && <SharedLogs logs={logs} show={setLogs} />}
    </section>
  );
}

function SharedLogs({
  logs,
  show,
}: {
  logs: readonly SharedLogView[];
  show(logs: readonly SharedLogView[]): void;
}) {
  const { t, formatting } = useMessages();
  const remove = (log_id: string) =>
    mutate({
      send: () => requestFromPanel('logs.remove', { log_id }),
      refresh: (data) => show(data.logs),
    });
  const nameOf = ({ name }: SharedLogView) => (name === '' ? t('crash_help.console') : name);
  return (
    <>
      <h4>{t('crash_help.shared_logs')}</h4>
      <ul className="shared-logs">
        {logs.map((log) => (
          <li key={log.id}>
            <div>
              <a href={log.path} target="_blank" rel="noreferrer" dir="auto">
                {nameOf(log)}
              </a>
              <span className="meta">
                {t('crash_help.shared_by', { name: log.by ?? '-', when: exactTime(formatting, log.expires) })}
              </span>
            </div>
            {log.removable && (
              <button
                className="btn quiet s icon"
                type="button"
                aria-label={t('crash_help.remove', { name: nameOf(log) })}
                onClick={() => void remove(log.id)}
              >
                <Icon name="remove" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
