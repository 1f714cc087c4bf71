import { useStore } from '@nanostores/react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { FileEntry } from '#control/protocol/files.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { $connection } from '../core/panel.store.ts';
import { FileRow } from './FileRow.tsx';
import { $listing, $loadingMore, $renaming, $selection } from './files.store.ts';
import { loadMore } from './folder.ts';
import { onKey } from './keys.ts';
import { TableHead } from './TableHead.tsx';

const EmptyFolder = later(async () => (await import('./EmptyFolder.tsx')).EmptyFolder);

/** The entries of the folder, as a grid: one stop of the Tab key, and arrow keys within. */
export function FileTable({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const { path, entries, total, complete, state, problem } = useStore($listing);
  const { chosen, focus } = useStore($selection);
  const renaming = useStore($renaming);
  const table = useRef<HTMLTableElement>(null);
  const isInside = useFocusedRow(table, focus, entries);
  if (state === 'refused' || (state === 'ready' && total === 0))
    return <EmptyFolder server={server} path={path} problem={state === 'refused' ? problem : null} />;
  const stop = focus ?? entries[0]?.name;
  return (
    <>
      <table
        ref={table}
        className="tbl file-list"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are selected and reached by arrow keys
        role="grid"
        aria-multiselectable="true"
        aria-rowcount={total + 1}
        aria-busy={state === 'loading'}
        aria-labelledby="files"
        aria-describedby="file-keys"
        onKeyDown={onKey}
        onFocus={() => {
          isInside.current = true;
        }}
        onBlur={({ relatedTarget, currentTarget }) => {
          // without another target its row was removed
          if (relatedTarget && !currentTarget.contains(relatedTarget)) isInside.current = false;
        }}
      >
        <TableHead />
        <tbody>
          {entries.map((entry, i) => (
            <FileRow
              key={entry.name}
              entry={entry}
              path={path}
              row={i + 2}
              isChosen={chosen.has(entry.name)}
              isStop={stop === entry.name}
              isRenaming={renaming === entry.name}
            />
          ))}
        </tbody>
      </table>
      {state === 'loading' && <Ghosts />}
      <p className="hide" id="file-keys">
        {t('server_files.keys')}
      </p>
      <More />
      {!complete && <p className="dim">{t('server_files.incomplete', { count: total })}</p>}
    </>
  );
}

/** Moves the focus along with the keyboard, when it is in the list already, also after its row was removed. */
function useFocusedRow(
  table: RefObject<HTMLTableElement | null>,
  focus: string | null,
  entries: readonly FileEntry[],
): RefObject<boolean> {
  const isInside = useRef(false);
  useEffect(() => {
    const active = document.activeElement;
    const isLost = active === document.body;
    if (focus === null || !isInside.current || (!isLost && !table.current?.contains(active))) return;
    if (active?.matches('input:not([type=checkbox])')) return;
    const row = table.current?.tBodies[0]?.rows[entries.findIndex(({ name }) => name === focus)];
    if (row && !row.contains(active)) row.focus();
  }, [table, focus, entries]);
  return isInside;
}

function More(): ReactNode {
  const { t } = useMessages();
  const { entries, total, state } = useStore($listing);
  const isLoading = useStore($loadingMore);
  const isOpen = useStore($connection) === 'open';
  const button = useRef<HTMLButtonElement>(null);
  const hasMore = state === 'ready' && entries.length < total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that stays in sight loads once more
  useEffect(() => {
    if (!hasMore || !button.current) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && void loadMore(), {
      rootMargin: '400px',
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [hasMore, entries.length]);
  if (!hasMore) return null;
  return (
    <button
      ref={button}
      className="btn more"
      type="button"
      aria-busy={isLoading}
      aria-disabled={!isOpen}
      onClick={() => void loadMore()}
    >
      {t('server_files.more')}
    </button>
  );
}

const Ghosts = () => (
  <div className="ghost-rows" aria-hidden="true">
    {['60%', '40%', '70%', '35%', '55%'].map((width) => (
      <div key={width}>
        <span className="ghost" style={{ inlineSize: width }} />
      </div>
    ))}
  </div>
);
