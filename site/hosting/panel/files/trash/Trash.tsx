import { useStore } from '@nanostores/react';
import back from 'lucide-static/icons/arrow-left.svg?raw';
import { useEffect } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import { Drawing } from '../../../../platform/ui/Icon.tsx';
import { type Confirmation, useConfirm } from '../../../shared/use-confirm.tsx';
import { $connection, $operation } from '../../core/panel.store.ts';
import { go, isGoingOn } from '../folder.ts';
import { useWhyNot } from '../why-not.ts';
import { TrashRow } from './TrashRow.tsx';
import { $chosenTrash, $trash, loadMoreTrash, loadTrash, purge, restore } from './trash.store.ts';

/** Deleted files, until they expire. */
export function Trash() {
  const { t, count } = useMessages();
  const { items, total, state, problem } = useStore($trash);
  const chosen = useStore($chosenTrash);
  const whyNot = useWhyNot();
  const { confirm, dialog } = useConfirm();
  useEffect(() => {
    const ends = [
      $connection.subscribe((line) => line === 'open' && void loadTrash()),
      $operation.listen((one) => one?.kind.startsWith('file_') && !isGoingOn(one.state) && void loadTrash()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const ask = (ids: readonly string[] | null): void => {
    const question: Confirmation = {
      title: ids ? count('server_files.ask_purge', ids.length) : t('server_files.ask_empty'),
      text: t('server_files.ask_purge_text'),
      action: t('server_files.purge'),
      act: () => void purge(ids),
    };
    if (whyNot === null) confirm(question);
  };
  const ids = [...chosen];
  return (
    <div className="trash">
      <header className="trash-head">
        <button
          className="btn quiet icon"
          type="button"
          aria-label={t('server_files.to_files')}
          onClick={() => go({})}
        >
          <Drawing svg={back} turns />
        </button>
        <h3>{t('server_files.trash')}</h3>
        <span className="push row">
          {ids.length > 0 && (
            <>
              <button
                className="btn s"
                type="button"
                aria-disabled={whyNot !== null}
                data-tip={whyNot ?? undefined}
                onClick={() => void restore(ids)}
              >
                {t('server_files.restore')}
              </button>
              <button className="btn danger-quiet quiet s" type="button" onClick={() => ask(ids)}>
                {t('server_files.purge')}
              </button>
            </>
          )}
          {ids.length === 0 && items.length > 0 && (
            <button className="btn danger-quiet quiet s" type="button" onClick={() => ask(null)}>
              {t('server_files.empty_trash')}
            </button>
          )}
        </span>
      </header>
      {state === 'refused' && <Empty title={t('server_files.cannot_show')} text={problem} />}
      {state === 'ready' && items.length === 0 && (
        <Empty title={t('server_files.trash_empty')} text={t('server_files.trash_empty_text')} />
      )}
      {items.length > 0 && (
        <table className="tbl file-list trash-list">
          <TrashHead />
          <tbody>
            {items.map((item) => (
              <TrashRow key={item.trash_id} item={item} isChosen={chosen.has(item.trash_id)} purge={ask} />
            ))}
          </tbody>
        </table>
      )}
      {items.length < total && (
        <button className="btn more" type="button" onClick={() => void loadMoreTrash()}>
          {t('server_files.more')}
        </button>
      )}
      {dialog}
    </div>
  );
}

function TrashHead() {
  const { t } = useMessages();
  const { items } = useStore($trash);
  const chosen = useStore($chosenTrash);
  const isAll = chosen.size > 0;
  return (
    <thead>
      <tr>
        <th scope="col">
          <label className="check">
            <input
              type="checkbox"
              aria-label={t('server_files.select_all')}
              checked={isAll}
              onChange={() => $chosenTrash.set(new Set(isAll ? [] : items.map(({ trash_id }) => trash_id)))}
            />
          </label>
        </th>
        <th scope="col">{t('server_files.name')}</th>
        <th scope="col" className="num drop">
          {t('server_files.size')}
        </th>
        <th scope="col" className="drop">
          {t('server_files.deleted_at')}
        </th>
        <th scope="col" className="drop">
          {t('server_files.expires')}
        </th>
        <th scope="col">
          <span className="hide">{t('server_files.actions')}</span>
        </th>
      </tr>
    </thead>
  );
}
