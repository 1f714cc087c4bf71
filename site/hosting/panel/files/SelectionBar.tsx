import { useStore } from '@nanostores/react';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { canDrop } from './can-drop.ts';
import { $dialog, $listing, $selection, targetPaths, targets } from './files.store.ts';
import { noneOf } from './selection.ts';
import { useWhyNot } from './why-not.ts';

const actions = () => import('./actions.ts');

/** How much is selected, and what can be done with it; how much there is while nothing is, so that the list keeps its place. */
export function SelectionBar() {
  const labels = useMessages();
  const { t, count, number } = labels;
  const { chosen } = useStore($selection);
  const { entries, total, state } = useStore($listing);
  const whyNot = useWhyNot();
  const bytes = entries.reduce(
    (sum, { name, type, bytes }) => (type === 'file' && chosen.has(name) ? sum + bytes : sum),
    0,
  );
  const items = [
    {
      key: 'server_files.download',
      act: async () => (await actions()).download(targetPaths(), targets()[0]?.type === 'directory'),
    },
    { key: 'server_files.move', act: () => $dialog.set({ kind: 'move', paths: targetPaths(), copy: false }) },
    { key: 'server_files.copy', act: () => $dialog.set({ kind: 'move', paths: targetPaths(), copy: true }) },
    { key: 'server_files.delete', act: async () => (await actions()).remove(targetPaths()) },
  ] as const;
  if (chosen.size === 0)
    return (
      <p className="selected none meta" role="status">
        {state === 'ready' && total > 0 && (
          <>
            {t('server_files.shown', { shown: number(entries.length), total: number(total) })}{' '}
            {canDrop() && t('server_files.drop_to_upload')}
          </>
        )}
      </p>
    );
  return (
    <div className="selected">
      <b role="status">{count('server_files.selected', chosen.size)}</b>
      <span className="meta">{bytes > 0 && sizeText(labels, bytes)}</span>
      <span className="push row do">
        {items.map(({ key, act }) => (
          <button
            key={key}
            className={key === 'server_files.delete' ? 'btn danger-quiet quiet s' : 'btn quiet s'}
            type="button"
            aria-disabled={whyNot !== null}
            data-tip={whyNot ?? undefined}
            onClick={() => whyNot === null && void act()}
          >
            {t(key)}
          </button>
        ))}
      </span>
      <button
        className="btn quiet s icon"
        type="button"
        aria-label={t('server_files.select_none')}
        onClick={() => $selection.set(noneOf($selection.get()))}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
