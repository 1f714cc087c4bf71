import type { ServerContentType } from '#db/hosting/servers/content/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { useAllowed } from '../core/access.ts';
import { addressOfCatalogue } from './catalogue.ts';

interface NothingProps {
  server: ServerView;
  types: readonly ServerContentType[];
}

/** Nothing is installed: where it comes from, for who may install. A server without a loader loads data packs only, so a loader comes first. */
export function NothingYet({ server, types }: NothingProps) {
  const { t, link } = useMessages();
  const mayInstall = useAllowed(whyNotHave.content);
  const type = types.find((one) => one !== 'datapack');
  if (!mayInstall) return <Empty title={t('server_content.none')} text={t('error.server_right_missing')} />;
  if (!type)
    return (
      <Empty title={t('server_content.vanilla')} text={t('server_content.vanilla_text')}>
        <div className="row wrap center">
          <a className="btn primary" href={link(`/servers/manage/${server.id}/options/loader`)}>
            {t('server_content.choose_loader')}
          </a>
          <a className="btn" href={link(addressOfCatalogue(server, 'modpack'))}>
            {t('server_content.add_modpack')}
          </a>
        </div>
      </Empty>
    );
  return (
    <Empty title={t('server_content.none')} text={t('server_content.none_text')}>
      <div className="row wrap center">
        <a className="btn primary" href={link(addressOfCatalogue(server, type))}>
          {t(type === 'mod' ? 'server_content.add_mods' : 'server_content.add_plugins')}
        </a>
        <a className="btn" href={link(addressOfCatalogue(server, 'modpack'))}>
          {t('server_content.add_modpack')}
        </a>
      </div>
    </Empty>
  );
}
