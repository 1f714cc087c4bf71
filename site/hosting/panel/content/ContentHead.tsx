import { type ChangeEvent, useRef } from 'react';
import type { MessageKey } from '#content/keys.ts';
import type { ServerContentType } from '#db/hosting/servers/content/view.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { useAllowed } from '../core/access.ts';
import { FileIcon } from '../files/FileIcon.tsx';
import { Action } from './Action.tsx';
import { addressOfCatalogue } from './catalogue.ts';
import { $dialog, type ServerContent } from './content.store.ts';

interface HeadProps {
  server: ServerView;
  content: ServerContent;
  whyNot: string | null;
}

const adds: Record<ServerContentType | 'modpack', MessageKey> = {
  mod: 'server_content.add_mods',
  plugin: 'server_content.add_plugins',
  datapack: 'server_content.add_datapacks',
  modpack: 'server_content.add_modpack',
};

/** How much is installed, and how more comes: from the catalogue, from a disk, by updates. */
export function ContentHead({ server, content, whyNot }: HeadProps) {
  const { t, count, link } = useMessages();
  const mayInstall = useAllowed(whyNotHave.content);
  const { items, types, pack } = content;
  const picker = useRef<HTMLInputElement>(null);
  const updates = items.filter(({ update }) => update !== null).length;
  const kinds = [...types, ...(pack ? [] : (['modpack'] as const))];
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    target.value = ''; // the same file may be chosen again
    const { uploadContent } = await import('./upload.ts');
    uploadContent(files);
  };
  return (
    <div className="chead">
      <p className="count" aria-hidden={items.length === 0 || undefined}>
        {items.length > 0 && count('server_content.count', items.length)}
      </p>
      <Action
        className={updates > 0 ? 'btn' : 'btn none'}
        whyNot={whyNot}
        act={() => $dialog.set({ kind: 'update', paths: null })}
      >
        <Icon name="up" />
        {count('server_content.update_all', updates)}
      </Action>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept=".jar,.zip"
        data-pick="content"
        onChange={(event) => void choose(event)}
      />
      <Action className="btn" whyNot={whyNot} act={() => picker.current?.click()}>
        <FileIcon kind="upload" />
        {t('server_content.upload')}
      </Action>
      {mayInstall && (
        <details className="pop" data-menu>
          <summary className="btn">
            <Icon name="add" />
            {t('server_content.add')}
          </summary>
          <ul className="menu">
            {kinds.map((kind) => (
              <li key={kind}>
                <a href={link(addressOfCatalogue(server, kind))}>{t(adds[kind])}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
