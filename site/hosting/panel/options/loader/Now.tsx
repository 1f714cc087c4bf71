import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { loaderName } from '../../../shared/loader-name.ts';

/** What the server is now. */
export function Now({ server: { game_version, loader, loader_version } }: { server: ServerView }) {
  const labels = useMessages();
  const { t } = labels;
  return (
    <section aria-labelledby="loader-now">
      <h2 id="loader-now">{t('loader.title')}</h2>
      <dl className="facts">
        <dt>{t('loader.game_version')}</dt>
        <dd>
          <bdi>{game_version}</bdi>
        </dd>
        <dt>{t('loader.loader')}</dt>
        <dd>
          <bdi>{loaderName(labels, loader)}</bdi>
        </dd>
        {loader && (
          <>
            <dt>{t('loader.loader_version')}</dt>
            <dd>
              <bdi>{loader_version ?? t('loader.newest')}</bdi>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
