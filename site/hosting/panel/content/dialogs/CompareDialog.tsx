import { useEffect, useId, useRef, useState } from 'react';
import type { Comparison, PackView } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { usePlanned } from './planned.ts';
import { Waiting } from './Waiting.tsx';

type Row = Comparison['rows'][number];
const tones: Record<Row['state'], string> = {
  same: '',
  different: ' warn',
  missing_on_server: ' bad',
  only_on_server: ' note',
  client_only: '',
};

/** What players have with the modpack, beside what the server has. */
export function CompareDialog({ pack, done }: { pack: PackView; done(): void }) {
  const { t, count } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const [compared, again] = usePlanned(() =>
    requestFromPanel('content.compare', { version_id: pack.version.id }),
  );
  useEffect(() => dialog.current?.showModal(), []);
  const rows = compared.state === 'ready' ? compared.data.comparison.rows : [];
  const same = rows.filter(({ state }) => state === 'same').length;
  const shown = isWhole ? rows : rows.filter(({ state }) => state !== 'same');
  return (
    <dialog ref={dialog} className="broad" onClose={done} aria-labelledby={id} data-dialog>
      <header>
        <h2 id={id}>{t('server_content.compare_title')}</h2>
        <button className="btn quiet s icon" type="button" aria-label={t('servers.close')} data-closes>
          <Icon name="close" />
        </button>
      </header>
      <div className="stack" aria-busy={compared.state === 'loading'}>
        <p className="dim">
          {t('server_content.compare_text', {
            pack: `\u2068${pack.project.title}\u2069`,
            version: `\u2068${pack.version.version_number}\u2069`,
          })}
        </p>
        {compared.state === 'loading' && <Waiting text="server_content.loading" />}
        {compared.state === 'refused' && (
          <div className="say bad">
            <Icon name="critical" />
            <b>{t('server_content.compare_failed')}</b>
            <p>{compared.refusal.text}</p>
            <button className="btn" type="button" onClick={again}>
              {t('server_content.again')}
            </button>
          </div>
        )}
        {compared.state === 'ready' && (
          <>
            <p role="status">
              {shown.length === 0 || same === rows.length
                ? t('server_content.compare_equal')
                : count('server_content.compare_different', rows.length - same)}
            </p>
            {same > 0 && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={isWhole}
                  onChange={({ target }) => setWhole(target.checked)}
                />
                <span>{count('server_content.compare_same', same)}</span>
              </label>
            )}
            {shown.length > 0 && <Table rows={shown} />}
          </>
        )}
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {t('servers.close')}
        </button>
      </footer>
    </dialog>
  );
}

function Table({ rows }: { rows: readonly Row[] }) {
  const { t } = useMessages();
  return (
    <table className="sides">
      <thead>
        <tr>
          <th scope="col">{t('server_content.compare_file')}</th>
          <th scope="col">{t('server_content.compare_client')}</th>
          <th scope="col">{t('server_content.compare_server')}</th>
          <th scope="col">{t('server_content.compare_state')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, client, server, state }) => (
          <tr key={title}>
            <th scope="row">
              <bdi>{title}</bdi>
            </th>
            <td data-side={t('server_content.compare_client')}>
              <bdi>{client ?? '–'}</bdi>
            </td>
            <td data-side={t('server_content.compare_server')}>
              <bdi>{server ?? '–'}</bdi>
            </td>
            <td>
              <span className={`badge${tones[state]}`}>{t(`server_content.state_${state}`)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
