import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useState } from 'react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { showToast } from '../../../../platform/browser/toasts.store.ts';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { useAllowed } from '../../core/access.ts';
import { power } from '../../core/actions.ts';
import { $connection } from '../../core/panel.store.ts';
import { download } from '../actions.ts';
import { openPath, type Place } from '../address.ts';
import { Crumbs } from '../Crumbs.tsx';
import { modeOf } from '../file-kind.ts';
import { go, setGuard } from '../folder.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { SaveAsDialog } from './SaveAsDialog.tsx';
import type { SaveResult } from './text-file.ts';
import { type TextFile, useTextFile } from './use-text-file.ts';

/** A text file, to read and to write. Nobody's changes replace those of somebody else unasked. */
export function TextEditor({ place, server }: { place: Place; server: ServerView }) {
  const { t } = useMessages();
  const path = openPath(place)!;
  const [asks, setAsks] = useState<'conflict' | 'save_as' | null>(null);
  const [leaving, setLeaving] = useState<{ then(): void } | null>(null);
  const file = useTextFile(path, () => void save());
  useUnsaved(file.isChanged, (then) => setLeaving({ then }));

  const finish = (result: SaveResult): boolean => {
    if (result.ok)
      showToast({ type: 'success', title: t('server_files.saved', { name: place.file! }), text: '' });
    else if (result.code === 'changed') setAsks('conflict');
    else
      showToast({
        ...{ type: 'error', title: t('server_files.not_saved') },
        text: result.text || t(result.code === 'offline' ? 'servers.line_lost' : 'server_files.try_again'),
      });
    return result.ok;
  };
  async function save(etag?: string): Promise<boolean> {
    return !file.isSaving && finish(await file.save(etag));
  }
  async function saveAndRestart(): Promise<void> {
    if (await save()) await power('restart');
  }
  const canRestart = server.state === 'running';
  return (
    <div className="file-editor">
      <Head
        place={place}
        file={file}
        save={() => void save()}
        saveAs={() => setAsks('save_as')}
        restart={canRestart ? () => void saveAndRestart() : null}
      />
      {file.isStale && asks === null && (
        <Alert
          tone="warn"
          title={t('server_files.stale')}
          action={
            file.isChanged ? (
              <button className="btn s" type="button" onClick={() => setAsks('conflict')}>
                {t('server_files.compare')}
              </button>
            ) : (
              <button className="btn s" type="button" onClick={file.reload}>
                {t('server_files.reload')}
              </button>
            )
          }
        >
          {t(file.isChanged ? 'server_files.stale_changed' : 'server_files.stale_text')}
        </Alert>
      )}
      <Content file={file} path={path} name={place.file!} />
      {asks === 'conflict' && (
        <ConflictDialog
          path={path}
          mine={file.text()}
          overwrite={(etag) => void save(etag)}
          reload={file.reload}
          saveAs={() => setAsks('save_as')}
          done={() => setAsks((now) => (now === 'conflict' ? null : now))}
        />
      )}
      {asks === 'save_as' && (
        <SaveAsDialog
          path={path}
          save={file.saveAs}
          saved={(to) => {
            setGuard(() => true);
            go({ path: place.path, file: to });
          }}
          done={() => setAsks(null)}
        />
      )}
      {leaving && (
        <LeaveDialog
          save={async () => {
            if (await save()) leaving.then();
          }}
          discard={() => {
            setGuard(() => true);
            leaving.then();
          }}
          done={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

/** Asks before what is not saved is left. */
function useUnsaved(isChanged: boolean, ask: (then: () => void) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what asks is made anew with each drawing
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    setGuard((then) => {
      ask(then);
      return false;
    });
    return () => {
      removeEventListener('beforeunload', warn);
      setGuard(() => true);
    };
  }, [isChanged]);
}

interface HeadProps {
  place: Place;
  file: TextFile;
  save(): void;
  saveAs(): void;
  /** Saves and restarts; null while the server does not run. */
  restart: (() => void) | null;
}

function Head({ place, file, save, saveAs, restart }: HeadProps) {
  const { t } = useMessages();
  const mayWrite = useAllowed(whyNotHave.files);
  const isOpen = useStore($connection) === 'open' && mayWrite;
  const canSave = isOpen && file.state === 'open' && file.isChanged && !file.isSaving;
  const button = (text: string, act: () => void, isReady: boolean, className = 'btn'): ReactNode => (
    <button className={className} type="button" aria-disabled={!isReady} onClick={() => isReady && act()}>
      {text}
    </button>
  );
  return (
    <header className="editor-head">
      <Crumbs path={place.path} file={place.file!} />
      <div className="row wrap">
        <h3>
          <bdi>{place.file}</bdi>
        </h3>
        {file.isChanged && <span className="badge warn">{t('server_files.unsaved')}</span>}
        <span className="push row wrap">
          {button(t('server_files.close'), () => go({}), true, 'btn quiet')}
          {button(t('server_files.save_as'), saveAs, isOpen && file.state === 'open', 'btn quiet')}
          {restart && button(t('server_files.save_restart'), restart, canSave)}
          {button(t('server_files.save'), save, canSave, 'btn primary')}
        </span>
      </div>
    </header>
  );
}

function Content({ file, path, name }: { file: TextFile; path: string; name: string }) {
  const messages = useMessages();
  const { t, number } = messages;
  const { state, cursor } = file;
  if (typeof state !== 'string')
    return (
      <Empty
        title={t(state.code === 'missing' ? 'server_files.missing' : 'server_files.cannot_show')}
        text={reasonOf(state, t)}
      >
        <button
          className="btn"
          type="button"
          onClick={() => (state.code === 'binary' ? download([path], false) : file.reload())}
        >
          {t(state.code === 'binary' ? 'server_files.download' : 'server_files.try_again')}
        </button>
      </Empty>
    );
  return (
    <div className="code" aria-busy={state === 'loading'}>
      <div ref={file.host} className="code-host" />
      <footer>
        <span>{t(`server_files.mode_${modeOf(name)}`)}</span>
        <span className="push">
          {t('server_files.cursor', { line: number(cursor.line), column: number(cursor.column) })}
        </span>
        <span className="drop">{sizeText(messages, file.size)}</span>
        <span className="drop">{t('server_files.ctrl_s')}</span>
      </footer>
    </div>
  );
}

function reasonOf(state: Exclude<TextFile['state'], string>, t: ReturnType<typeof useMessages>['t']): string {
  if (state.code === 'binary') return t('server_files.binary_text');
  if (state.code === 'offline') return t('servers.line_lost');
  return state.text;
}
