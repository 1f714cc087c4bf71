import { useStore } from '@nanostores/react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ContentItem } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { later, laterStyled } from '../../../platform/ui/later.tsx';
import { type Confirmation, useConfirm } from '../../shared/use-confirm.tsx';
import trayStyle from '../files/upload/tray.css?url';
import { $uploads } from '../files/uploads.store.ts';
import { remove } from './actions.ts';
import { soughtInAddress } from './address.ts';
import { ContentHead } from './ContentHead.tsx';
import { ContentRow } from './ContentRow.tsx';
import { ContentTools } from './ContentTools.tsx';
import type { ServerContent } from './content.store.ts';
import { DropContent } from './DropContent.tsx';
import { firstQuery, shownItems, titleOf } from './listing.ts';
import { NothingYet } from './NothingYet.tsx';

const SelectionBar = later(async () => (await import('./SelectionBar.tsx')).SelectionBar);
const UploadTray = laterStyled(
  [trayStyle],
  async () => (await import('../files/upload/UploadTray.tsx')).UploadTray,
);
/** How long typing rests before the list follows, in milliseconds. Source: screens §A.8. */
const typing_ms = 300;
/** Rows that are drawn at once; more with a button. */
const page_rows = 100;

interface ListProps {
  server: ServerView;
  content: ServerContent;
  /** Why nothing can be changed now. */
  whyNot: string | null;
}

/** The files of content that are there, and what is done to them. */
export function ContentList({ server, content, whyNot }: ListProps) {
  const labels = useMessages();
  const { t, count, formatting } = labels;
  const { items, more, types } = content;
  const { confirm, dialog } = useConfirm();
  const [query, setQuery] = useState(() => ({ ...firstQuery, text: soughtInAddress() }));
  const text = useResting(query.text);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [rows, setRows] = useState(page_rows);
  const hasUploads = useStore($uploads).length > 0;
  const compare = useMemo(() => new Intl.Collator(formatting, { numeric: true }).compare, [formatting]);
  const shown = useMemo(() => shownItems(items, { ...query, text }, compare), [items, query, text, compare]);
  const drawn = useDeferredValue(shown.slice(0, rows));
  const selected = shown.filter(({ path }) => chosen.has(path));
  const ask = (some: readonly ContentItem[]) => confirm(removal(labels, some, () => setChosen(new Set())));
  const choose = (path: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(path);
    else next.delete(path);
    setChosen(next);
  };
  return (
    <DropContent whyNot={whyNot}>
      <ContentHead {...{ server, content, whyNot }} />
      {hasUploads && <UploadTray />}
      {items.length === 0 && <NothingYet server={server} types={types} />}
      {items.length > 0 && (
        <>
          <ContentTools {...{ query, setQuery, items }} />
          <SelectionBar
            {...{ selected, shown, whyNot }}
            choose={(some) => setChosen(new Set(some.map(({ path }) => path)))}
            remove={() => ask(selected)}
          />
          <p className="hide" role="status">
            {count('server_content.shown', shown.length)}
          </p>
          {shown.length === 0 && (
            <Empty title={t('server_content.none_found')} text={t('server_content.none_found_text')}>
              <button className="btn" type="button" onClick={() => setQuery(firstQuery)}>
                {t('server_content.show_all')}
              </button>
            </Empty>
          )}
          <ul className="items" aria-label={t('servers.content')}>
            {drawn.map((item) => (
              <ContentRow
                key={item.path}
                {...{ item, whyNot, choose }}
                isChosen={chosen.has(item.path)}
                remove={() => ask([item])}
              />
            ))}
          </ul>
          {shown.length > rows && (
            <button className="btn more" type="button" onClick={() => setRows(rows + page_rows)}>
              {count('server_content.show_more', shown.length - rows)}
            </button>
          )}
          {more > 0 && <p className="meta">{count('server_content.not_listed', more)}</p>}
        </>
      )}
      {dialog}
    </DropContent>
  );
}

/** A text as it was when typing last rested; an empty one at once. */
function useResting(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setRested, text === '' ? 0 : typing_ms, text);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** What is asked before content is removed. */
function removal({ t, count }: PageMessages, some: readonly ContentItem[], done: () => void): Confirmation {
  const [only] = some;
  const isPack = some.some(({ from_pack }) => from_pack);
  return {
    title:
      some.length === 1
        ? t('server_content.ask_remove', { name: `\u2068${titleOf(only!)}\u2069` })
        : count('server_content.ask_remove_many', some.length),
    text: t(isPack ? 'server_content.ask_remove_pack' : 'server_content.ask_remove_text'),
    action: t('server_content.remove'),
    act: () => void remove(some.map(({ path }) => path)).then((isDone) => isDone && done()),
  };
}
