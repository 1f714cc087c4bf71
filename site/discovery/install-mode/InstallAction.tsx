import { useStore } from '@nanostores/react';
import { Action } from '../../hosting/panel/content/Action.tsx';
import { $changes, $content, $dialog } from '../../hosting/panel/content/content.store.ts';
import { whyNotChangeContent } from '../../hosting/panel/content/why-not.ts';
import { $connection, $server } from '../../hosting/panel/core/panel.store.ts';
import { Icon } from '../../hosting/shared/Icon.tsx';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { HitView } from '../search/view.ts';
import { $type } from './lock.store.ts';

/** Installs one result, or says that it is there. */
export function InstallAction({ hit }: { hit: HitView }) {
  const labels = useMessages();
  const { t } = labels;
  const content = useStore($content);
  const changes = useStore($changes);
  const server = useStore($server);
  const isOpen = useStore($connection) === 'open';
  const type = useStore($type);
  if (!server) return null;
  const isPack = type === 'modpack';
  const isThere = isPack
    ? content?.pack?.project.id === hit.id
    : content?.items.some(({ project }) => project?.id === hit.id);
  if (isThere)
    return (
      <span className="badge good put">
        <Icon name="done" />
        {t('server_content.installed')}
      </span>
    );
  return (
    <span className="put">
      <Action
        className="btn s"
        whyNot={whyNotChangeContent(labels, { server, changes, isOpen })}
        act={() => $dialog.set({ kind: isPack ? 'pack' : 'install', project_id: hit.id })}
      >
        <Icon name="add" />
        {t('server_content.install')} <span className="hide">{hit.title}</span>
      </Action>
    </span>
  );
}
