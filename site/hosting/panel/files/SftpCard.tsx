import { useEffect, useState } from 'react';
import type { RefusalStep } from '#content/refusal-steps.ts';
import type { SftpView } from '#db/hosting/servers/sftp/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { useHidden } from '../../shared/use-address.ts';
import { Copied } from '../Copied.tsx';
import { openedPanel } from '../core/open-panel.ts';
import { exactText } from './format.ts';
import { SftpKeys } from './SftpKeys.tsx';

/** How the user reaches the files of a server by SFTP: address, password and keys. */
export function SftpCard({ server_id }: { server_id: string }) {
  const { t } = useMessages();
  const [sftp, setSftp] = useState<SftpView | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const hidden = useHidden();
  useEffect(() => {
    void openedPanel()
      ?.request('sftp.show', { server_id })
      .then((result) => (result.ok ? setSftp(result.data.sftp) : setProblem(result.error)));
  }, [server_id]);
  const step = problem?.details.step as RefusalStep | undefined;
  if (problem)
    return (
      <Alert tone="note" title={t('server_files.sftp')}>
        {problem.description}
        {step && (
          <a className="btn s" href={step.to}>
            {step.text}
          </a>
        )}
      </Alert>
    );
  if (!sftp) return <p role="status">{t('server_files.sftp_loading')}</p>;
  const { host, port, user } = sftp;
  const target = host.includes(':') ? `[${host}]` : host;
  return (
    <section className="stack sftp" aria-label={t('server_files.sftp')}>
      <p className="dim">{t('server_files.sftp_text')}</p>
      <dl className="copies">
        <Copied name={t('server_files.sftp_host')} value={host} covered={hidden} />
        <Copied name={t('server_files.sftp_port')} value={String(port)} />
        <Copied name={t('server_files.sftp_user')} value={user} />
        <Copied
          name={t('server_files.sftp_command')}
          value={`sftp -P ${port} ${user}@${target}`}
          covered={hidden}
        />
        {sftp.host_fingerprint && (
          <Copied
            name={t('server_files.sftp_host_key')}
            value={sftp.host_fingerprint}
            hint={t('server_files.sftp_host_key_hint')}
          />
        )}
      </dl>
      <p>
        <a className="btn" href={`sftp://${encodeURIComponent(user)}@${target}:${port}/`}>
          {t('server_files.sftp_open')}
        </a>
      </p>
      <Password server_id={server_id} sftp={sftp} show={setSftp} />
      <SftpKeys server_id={server_id} keys={sftp.keys} show={setSftp} />
    </section>
  );
}

interface PasswordProps {
  server_id: string;
  sftp: SftpView;
  show(sftp: SftpView): void;
}

/** The password is in the answer that made it, and nowhere else. */
function Password({ server_id, sftp, show }: PasswordProps) {
  const labels = useMessages();
  const { t } = labels;
  const [made, setMade] = useState('');
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    const panel = openedPanel();
    if (!panel || isBusy) return;
    setBusy(true);
    await mutate({
      send: () => panel.request('sftp.set_password', { server_id }),
      refresh({ sftp: changed, password }) {
        show(changed);
        setMade(password);
      },
    });
    setBusy(false);
  };
  const at = sftp.password && exactText(labels, Date.parse(sftp.password.created));
  return (
    <div className="stack">
      <h3>{t('server_files.sftp_password')}</h3>
      {made ? (
        <div role="status">
          <dl className="copies">
            <Copied
              name={t('server_files.sftp_password')}
              value={made}
              hint={t('server_files.sftp_password_once')}
            />
          </dl>
        </div>
      ) : (
        <p className="dim">
          {at ? t('server_files.sftp_password_made', { made: at }) : t('server_files.sftp_password_none')}
        </p>
      )}
      <p>
        <button className="btn" type="button" aria-busy={isBusy} onClick={make}>
          {t(sftp.password ? 'server_files.sftp_password_new' : 'server_files.sftp_password_make')}
        </button>
        {sftp.password && <span className="hint">{t('server_files.sftp_password_new_hint')}</span>}
      </p>
    </div>
  );
}
