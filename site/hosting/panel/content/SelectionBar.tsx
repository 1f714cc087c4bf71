import type { ContentItem } from '#db/hosting/servers/content/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Action } from './Action.tsx';
import { toggle } from './actions.ts';
import { $dialog } from './content.store.ts';

interface SelectionProps {
  selected: readonly ContentItem[];
  shown: readonly ContentItem[];
  whyNot: string | null;
  choose(some: readonly ContentItem[]): void;
  remove(): void;
}

/** How much is selected, and what is done to all of it. Its line is always there, so that nothing moves. */
export function SelectionBar({ selected, shown, whyNot, choose, remove }: SelectionProps) {
  const { t, count } = useMessages();
  const paths = selected.map(({ path }) => path);
  const off = selected.filter(({ enabled }) => !enabled).map(({ path }) => path);
  const on = selected.filter(({ enabled }) => enabled).map(({ path }) => path);
  const hasUpdates = selected.some(({ update }) => update !== null);
  const text = selected.length > 0 ? count('server_content.selected', selected.length) : null;
  return (
    <div className={text ? 'bulk on' : 'bulk'}>
      <label className="check">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && selected.length < shown.length;
          }}
          checked={selected.length > 0 && selected.length === shown.length}
          onChange={({ target }) => choose(target.checked ? shown : [])}
        />
        <span>{text ?? t('server_content.select_all')}</span>
      </label>
      <span className="hide" role="status">
        {text}
      </span>
      {text && (
        <span className="row push">
          {off.length > 0 && (
            <Action className="btn quiet s" busy="toggle" whyNot={whyNot} act={() => void toggle(off, true)}>
              {t('server_content.enable_these')}
            </Action>
          )}
          {on.length > 0 && (
            <Action className="btn quiet s" busy="toggle" whyNot={whyNot} act={() => void toggle(on, false)}>
              {t('server_content.disable_these')}
            </Action>
          )}
          {hasUpdates && (
            <Action
              className="btn quiet s"
              whyNot={whyNot}
              act={() => $dialog.set({ kind: 'update', paths })}
            >
              {t('server_content.update')}
            </Action>
          )}
          <Action className="btn danger-quiet s" busy="remove" whyNot={whyNot} act={remove}>
            {t('server_content.remove')}
          </Action>
        </span>
      )}
    </div>
  );
}
