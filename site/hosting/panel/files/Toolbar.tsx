import { useStore } from '@nanostores/react';
import { type ChangeEvent, useRef } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Menu, MenuItem, MenuLine } from '../../../platform/ui/Menu.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { Crumbs } from './Crumbs.tsx';
import { FileIcon } from './FileIcon.tsx';
import { $dialog, $query } from './files.store.ts';
import { go } from './folder.ts';
import { useWhyNot, useWhyNotAllowed } from './why-not.ts';

/** Where one is, the search, and what adds files. */
export function Toolbar({ path, server_id }: { path: string; server_id: string }) {
  const { t } = useMessages();
  const query = useStore($query);
  return (
    <div className="file-tools">
      <Crumbs path={path} />
      <search>
        <SearchInput
          label={t('server_files.search')}
          query={query.text}
          setQuery={(text) => $query.set({ ...query, text })}
        />
      </search>
      <NewMenu />
      <UploadMenu server_id={server_id} />
    </div>
  );
}

function NewMenu() {
  const { t } = useMessages();
  const whyNot = useWhyNot();
  const items = [
    { key: 'server_files.new_file', icon: 'text', act: () => $dialog.set({ kind: 'create', type: 'file' }) },
    {
      key: 'server_files.new_folder',
      icon: 'directory',
      act: () => $dialog.set({ kind: 'create', type: 'directory' }),
    },
    { key: 'server_files.fetch', icon: 'link', act: () => $dialog.set({ kind: 'fetch' }) },
  ] as const;
  return (
    <Menu
      look="btn"
      button={
        <>
          <Icon name="add" />
          {t('server_files.new')}
        </>
      }
    >
      {items.map(({ key, icon, act }) => (
        <MenuItem key={key} icon={<FileIcon kind={icon} />} whyNot={whyNot} act={act}>
          {t(key)}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<Icon name="remove" />} act={() => go({ view: 'trash' })}>
        {t('server_files.trash')}
      </MenuItem>
    </Menu>
  );
}

function UploadMenu({ server_id }: { server_id: string }) {
  const { t } = useMessages();
  const whyNot = useWhyNotAllowed();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    target.value = ''; // the same file may be chosen again
    const { addUploads } = await import('./upload/uploads.ts');
    void addUploads(chosen.map((file) => ({ file, path: file.webkitRelativePath || file.name })));
  };
  const items = [
    { key: 'server_files.upload_files', icon: 'file', input: files },
    { key: 'server_files.upload_folder', icon: 'directory', input: folder },
  ] as const;
  return (
    <>
      <input ref={files} type="file" multiple hidden data-pick="files" onChange={choose} />
      <input
        ref={(element) => {
          folder.current = element;
          element?.toggleAttribute('webkitdirectory', true);
        }}
        type="file"
        hidden
        data-pick="folder"
        onChange={choose}
      />
      <Menu
        look="btn primary"
        button={
          <>
            <FileIcon kind="upload" />
            {t('server_files.upload')}
          </>
        }
      >
        {items.map(({ key, icon, input }) => (
          <MenuItem
            key={key}
            icon={<FileIcon kind={icon} />}
            whyNot={whyNot}
            act={() => input.current?.click()}
          >
            {t(key)}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem
          icon={<FileIcon kind="link" />}
          whyNot={whyNot}
          act={() => $dialog.set({ kind: 'sftp', server_id })}
        >
          {t('server_files.sftp')}
        </MenuItem>
      </Menu>
    </>
  );
}
