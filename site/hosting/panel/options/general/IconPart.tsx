import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { $connection } from '../../core/panel.store.ts';
import { useWithConnection } from '../../core/use-with-connection.ts';
import { OptionsLoading } from '../OptionsLoading.tsx';
import { $busy, $changed, $icon, $problem, $refused, loadIcon, removeIcon, setIcon } from './icon.store.ts';

/** The picture that players see in their list of servers. */
export function IconPart({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const icon = useStore($icon);
  const problem = useStore($problem);
  useWithConnection(loadIcon);
  return (
    <section className="stack" aria-labelledby="server-icon">
      <h2 id="server-icon">{t('server_general.icon')}</h2>
      {icon ? <Icon server={server} /> : <OptionsLoading problem={problem} reload={loadIcon} rows={2} />}
    </section>
  );
}

function Icon({ server }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  const { png, etag, pack } = useStore($icon)!;
  const busy = useStore($busy);
  const refused = useStore($refused);
  const changed = useStore($changed);
  const isOpen = useStore($connection) === 'open';
  const input = useRef<HTMLInputElement>(null);
  const isOff = !isOpen || busy !== null;
  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file && !isOff) void setIcon(labels, file);
  };
  const isRunning = ['running', 'starting', 'stopping'].includes(server.state);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same */}
      <div
        className="icon-part"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files);
        }}
      >
        {png ? (
          <img
            src={`data:image/png;base64,${png}`}
            width={64}
            height={64}
            alt={t('server_general.icon_now')}
          />
        ) : (
          <span className="none" role="img" aria-label={t('server_general.icon_none')} />
        )}
        <div>
          <div className="row wrap">
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp"
              hidden
              data-pick="icon"
              onChange={({ target }) => {
                take(target.files);
                target.value = '';
              }}
            />
            <button
              className="btn"
              type="button"
              disabled={isOff}
              aria-busy={busy === 'saving'}
              onClick={() => input.current?.click()}
            >
              {t(png ? 'server_general.icon_other' : 'server_general.icon_choose')}
            </button>
            {pack?.icon_url && (
              <button
                className="btn"
                type="button"
                disabled={isOff}
                onClick={() => void setIcon(labels, pack.icon_url!)}
              >
                {t('server_general.icon_of_pack')}
              </button>
            )}
            {etag !== '' && (
              <button
                className="btn quiet danger-quiet"
                type="button"
                disabled={isOff}
                aria-busy={busy === 'removing'}
                onClick={() => void removeIcon(labels)}
              >
                {t('server_general.icon_remove')}
              </button>
            )}
          </div>
          <p className="hint">
            {pack?.icon_url
              ? t('server_general.icon_hint_pack', { pack: `\u2068${pack.title}\u2069` })
              : t('server_general.icon_hint')}
          </p>
          {etag !== '' && png === null && <p className="hint warn">{t('server_general.icon_odd')}</p>}
          <p role="status">
            {changed && t(isRunning ? 'server_general.icon_restart' : 'server_general.saved')}
          </p>
        </div>
      </div>
      <div role="alert">
        {refused && (
          <Alert tone="bad" title={t('server_general.icon_failed')}>
            {refused}
          </Alert>
        )}
      </div>
    </>
  );
}
