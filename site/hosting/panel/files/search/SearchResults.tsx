import { useStore } from '@nanostores/react';
import { type MouseEvent, useEffect, useState } from 'react';
import { readableName } from '#db/platform/files/raw-names/rules.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import type { Result } from '../../../shared/request.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { $connection } from '../../core/panel.store.ts';
import { searchOf } from '../address.ts';
import { FileIcon } from '../FileIcon.tsx';
import { kindOf } from '../file-kind.ts';
import { $place, $query } from '../files.store.ts';
import { go } from '../folder.ts';
import { nameOf, parentOf } from '../paths.ts';

/** How long somebody has to stop typing before it is looked for. */
const pause_ms = 300;
type Found = Result<'files.search'>;

/** Names or lines below the folder that contain what was typed. */
export function SearchResults() {
  const { t, count } = useMessages();
  const query = useStore($query);
  const { found, problem, isBusy } = useSearch();
  return (
    <div className="found">
      <div className="row wrap">
        <fieldset className="seg views" aria-label={t('server_files.search_in')}>
          {(['names', 'contents'] as const).map((where) => (
            <button
              key={where}
              className="btn s"
              type="button"
              aria-pressed={query.in === where}
              onClick={() => $query.set({ ...query, in: where })}
            >
              {t(where === 'names' ? 'server_files.in_names' : 'server_files.in_contents')}
            </button>
          ))}
        </fieldset>
        <p className="meta" role="status">
          {isBusy ? t('server_files.searching') : found && count('server_files.found', found.found.length)}
        </p>
        <button className="btn quiet s push" type="button" onClick={() => $query.set({ ...query, text: '' })}>
          {t('server_files.search_end')}
        </button>
      </div>
      {problem !== '' && <p className="err">{problem}</p>}
      {found?.found.length === 0 && !isBusy && (
        <Empty title={t('server_files.nothing_found')} text={t('server_files.nothing_found_text')} />
      )}
      <ul className="found-list" aria-busy={isBusy}>
        {found?.found.map((one) => (
          <Hit key={`${one.path} ${one.line?.number ?? ''}`} {...one} />
        ))}
      </ul>
      {found && !found.complete && <p className="meta list-foot">{t('server_files.search_cut')}</p>}
    </div>
  );
}

function Hit({ path, type, line }: Found['found'][number]) {
  const { t, number } = useMessages();
  const name = nameOf(path);
  const isFolder = type === 'directory';
  const place = isFolder ? { path, file: null } : { path: parentOf(path), file: canOpen(name) ? name : null };
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(place);
  };
  return (
    <li>
      <FileIcon kind={kindOf({ name, type })} />
      <div>
        <a href={searchOf({ ...place, view: 'files' }, location.search) || '?'} onClick={follow}>
          <bdi>{readableName(path)}</bdi>
        </a>
        {line && (
          <p className="meta hit-line">
            <span>{t('server_files.line', { number: number(line.number) })}</span>{' '}
            <code dir="auto">{line.text}</code>
          </p>
        )}
      </div>
    </li>
  );
}

/** By its name: how large it is, a search does not say. */
const canOpen = (name: string): boolean => ['text', 'image'].includes(kindOf({ name, type: 'file' }));

function useSearch(): { found: Found | null; problem: string; isBusy: boolean } {
  const { text, in: where } = useStore($query);
  const { path } = useStore($place);
  const isOpen = useStore($connection) === 'open';
  const [state, setState] = useState<{ found: Found | null; problem: string; isBusy: boolean }>({
    ...{ found: null, problem: '', isBusy: true },
  });
  useEffect(() => {
    if (!isOpen || text.trim() === '') return;
    let isCurrent = true;
    setState((now) => ({ ...now, isBusy: true }));
    const timer = setTimeout(async () => {
      const answer = await requestFromPanel('files.search', {
        path,
        text: text.trim(),
        in: where,
        limit: 200,
      });
      if (!isCurrent) return;
      setState(
        answer.ok
          ? { found: answer.data, problem: '', isBusy: false }
          : { found: null, problem: answer.error.description, isBusy: false },
      );
    }, pause_ms);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, where, path, isOpen]);
  return state;
}
