import { useStore } from '@nanostores/react';
import type { PackView } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { ProjectIcon } from '../../../platform/ui/ProjectIcon.tsx';
import { $server } from '../core/panel.store.ts';
import { Action } from './Action.tsx';
import { addressOfCatalogue } from './catalogue.ts';
import { $dialog } from './content.store.ts';

/** The modpack that the server has: its version, a newer one, another one, and how players' copies differ. */
export function PackCard({ pack, whyNot }: { pack: PackView; whyNot: string | null }) {
  const { t, link } = useMessages();
  const server = useStore($server);
  const { project, version, update } = pack;
  return (
    <section className="pack" aria-labelledby="pack">
      <ProjectIcon url={project.icon_url} size={48} />
      <div>
        <span className="meta">{t('server_content.pack')}</span>
        <h3 className="name" id="pack">
          <a href={link(`/modpack/${encodeURIComponent(project.slug)}`)}>
            <bdi>{project.title}</bdi>
          </a>
        </h3>
        <span className="meta">
          <bdi>{version.version_number}</bdi>
        </span>{' '}
        {update && (
          <span className="badge note">
            {t('server_content.update_to', { version: `\u2068${update.version_number}\u2069` })}
          </span>
        )}
      </div>
      <div className="acts">
        {update && (
          <Action
            className="btn s"
            whyNot={whyNot}
            act={() => $dialog.set({ kind: 'pack', project_id: project.id, version_id: update.id })}
          >
            {t('server_content.update')}
          </Action>
        )}
        <Action whyNot={whyNot} act={() => $dialog.set({ kind: 'pack_versions' })}>
          {t('server_content.change_version')}
        </Action>
        <Action whyNot={null} act={() => $dialog.set({ kind: 'compare' })}>
          {t('server_content.compare')}
        </Action>
        {server && (
          <a className="btn quiet s" href={link(addressOfCatalogue(server, 'modpack'))}>
            {t('server_content.other_pack')}
          </a>
        )}
      </div>
    </section>
  );
}
