import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { later, laterStyled } from '../../../platform/ui/later.tsx';
import { isTyping } from '../../../platform/ui/scripts/typing.ts';
import copiesStyle from '../copies.css?url';
import { $operation } from '../core/panel.store.ts';
import crashStyle from '../crash/crash-help.css?url';
import { openPath } from './address.ts';
import { DropArea } from './DropArea.tsx';
import editorStyle from './editor/editor.css?url';
import { FileTable } from './FileTable.tsx';
import { kindOf } from './file-kind.ts';
import { $dialog, $menu, $place, $query, setTexts } from './files.store.ts';
import { openFolders } from './folder.ts';
import { SelectionBar } from './SelectionBar.tsx';
import sftpStyle from './sftp.css?url';
import { Toolbar } from './Toolbar.tsx';
import trayStyle from './upload/tray.css?url';
import { $uploads } from './uploads.store.ts';
import { isAllowed } from './why-not.ts';

const Trash = later(async () => (await import('./trash/Trash.tsx')).Trash);
const SearchResults = later(async () => (await import('./search/SearchResults.tsx')).SearchResults);
const TextEditor = laterStyled(
  [editorStyle],
  async () => (await import('./editor/TextEditor.tsx')).TextEditor,
);
const ImageViewer = laterStyled(
  [editorStyle],
  async () => (await import('./image/ImageViewer.tsx')).ImageViewer,
);
const UploadTray = laterStyled([trayStyle], async () => (await import('./upload/UploadTray.tsx')).UploadTray);
const Operations = later(async () => (await import('./Operations.tsx')).Operations);
const Dialogs = laterStyled(
  [copiesStyle, crashStyle, sftpStyle],
  async () => (await import('./dialogs/Dialogs.tsx')).Dialogs,
);
const FileMenu = later(async () => (await import('./FileMenu.tsx')).FileMenu);

/** Lists, changes, sends and edits the files of a server. */
export function Files({ server }: { server: ServerView }) {
  const labels = useMessages();
  const place = useStore($place);
  const hasUploads = useStore($uploads).length > 0;
  const hasOperations = useStore($operation) !== null;
  const dialog = useStore($dialog);
  const menu = useStore($menu);
  useEffect(() => {
    setTexts(labels);
    const end = openFolders();
    addEventListener('keydown', takeBack);
    return () => {
      end();
      removeEventListener('keydown', takeBack);
    };
  }, [labels]);
  return (
    <section className="files" aria-labelledby="files">
      <h2 id="files" className="hide">
        {labels.t('servers.files')}
      </h2>
      {hasUploads && <UploadTray />}
      {hasOperations && <Operations />}
      <Main server={server} place={place} />
      {menu && <FileMenu at={menu} />}
      {dialog && <Dialogs dialog={dialog} />}
    </section>
  );
}

function Main({ server, place }: { server: ServerView; place: ReturnType<typeof $place.get> }) {
  const { text } = useStore($query);
  if (place.file !== null) {
    const isImage = kindOf({ name: place.file, type: 'file' }) === 'image';
    // another file is another editor
    const key = openPath(place);
    return isImage ? (
      <ImageViewer key={key} place={place} />
    ) : (
      <TextEditor key={key} place={place} server={server} />
    );
  }
  if (place.view === 'trash') return <Trash />;
  return (
    <DropArea>
      <Toolbar path={place.path} server_id={server.id} />
      {text.trim() !== '' ? (
        <SearchResults />
      ) : (
        <>
          <SelectionBar />
          <FileTable server={server} />
        </>
      )}
    </DropArea>
  );
}

/** Ctrl+Z and Ctrl+Shift+Z anywhere on the page, but not where somebody writes. */
function takeBack(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
  const target = event.target as Element;
  if (isTyping(event) || target.closest?.('dialog') || $place.get().file !== null) return;
  event.preventDefault();
  if (!isAllowed()) return;
  void import('./undo.ts').then(({ undo, redo }) => (key === 'y' || event.shiftKey ? redo() : undo()));
}
