import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { isBusy, shownFirst, totalsOf } from '../upload-queue.ts';
import { $uploads } from '../uploads.store.ts';
import { UploadConflict } from './UploadConflict.tsx';
import { UploadRow } from './UploadRow.tsx';
import { cancel, pause, resume } from './uploads.ts';

/** Rows that are shown at once. */
const max_rows = 8;

/** The uploads of this page: all together in one line, and those that go on or need a choice. */
export function UploadTray() {
  const messages = useMessages();
  const { t, number } = messages;
  const queue = useStore($uploads);
  const [isOpen, setOpen] = useState(true);
  const totals = totalsOf(queue);
  const busy = isBusy(queue);
  useLeaveWarning(busy);
  const conflicts = queue.filter(({ state }) => state === 'conflict');
  const rows = shownFirst(
    queue.filter(({ state }) => !['conflict', 'done', 'skipped'].includes(state)),
    max_rows,
  );
  const waiting = queue.filter(({ state }) => state === 'queued' || state === 'paused').length;
  const each = (act: (key: string) => void, ...states: string[]) => {
    for (const { key, state } of queue) if (states.length === 0 || states.includes(state)) act(key);
  };
  const runs = queue.some(({ state }) => ['sending', 'waiting', 'queued'].includes(state));
  const values = { done: number(totals.ended), count: totals.files, total: number(totals.files) };
  return (
    <section className="tray" aria-label={t('server_files.uploads')}>
      <header className="row">
        <b role="status">
          {t(
            busy
              ? 'server_files.uploading'
              : totals.failed > 0
                ? 'server_files.uploads_failed'
                : 'server_files.uploads_done',
            values,
          )}
        </b>
        <span className="meta drop">
          {t('server_files.of', {
            done: sizeText(messages, totals.sent),
            total: sizeText(messages, totals.bytes),
          })}
        </span>
        <span className="push row tight">
          {runs && (
            <button
              className="btn quiet s"
              type="button"
              onClick={() => each(pause, 'sending', 'waiting', 'queued')}
            >
              {t('server_files.pause_all')}
            </button>
          )}
          {!runs && totals.paused > 0 && (
            <button className="btn quiet s" type="button" onClick={() => each(resume, 'paused')}>
              {t('server_files.resume_all')}
            </button>
          )}
          <button className="btn quiet s" type="button" onClick={() => each(cancel)}>
            {t(busy ? 'server_files.cancel_all' : 'server_files.dismiss')}
          </button>
          {rows.length > 0 && (
            <button
              className="btn quiet s icon"
              type="button"
              aria-expanded={isOpen}
              aria-label={t('server_files.uploads_list')}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'previous' : 'next'} />
            </button>
          )}
        </span>
        <progress
          className={busy ? 'meter go' : 'meter'}
          aria-label={t('server_files.uploads')}
          value={totals.bytes === 0 ? totals.ended : totals.sent}
          max={Math.max(1, totals.bytes || totals.files)}
        />
      </header>
      {conflicts[0] && <UploadConflict item={conflicts[0]} others={conflicts.length - 1} />}
      {isOpen && (
        <ul>
          {rows.map((item) => (
            <UploadRow key={item.key} item={item} />
          ))}
          {waiting > max_rows && (
            <li className="meta rest">{messages.count('server_files.uploads_waiting', waiting)}</li>
          )}
        </ul>
      )}
    </section>
  );
}

/** Asks before the page is left while something is sent. */
function useLeaveWarning(busy: boolean): void {
  useEffect(() => {
    if (!busy) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);
}
