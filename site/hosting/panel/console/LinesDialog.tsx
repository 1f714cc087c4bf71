import { useEffect, useId, useRef } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { displayLine } from './display-line.ts';
import { LineParts } from './LineParts.tsx';
import type { Chosen } from './Lines.tsx';
import { lineParts } from './line-segments.ts';
import { type Item, linesIn } from './rows.ts';

/** Lines that are shown at most: every one of them is in the page. */
const max_lines = 500;

interface LinesDialogProps {
  items: readonly Item[];
  chosen: Chosen;
  done(): void;
}

/** The selected lines, or the newest, as text with links that the keyboard reaches. They stay while new ones arrive. */
export function LinesDialog({ items, chosen, done }: LinesDialogProps) {
  const { t, count } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const lines = useRef(linesIn(items, chosen)).current;
  const shown = lines.slice(-max_lines);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // the newest are what is looked for, unless lines were selected
    if (!chosen && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [chosen]);
  return (
    <dialog ref={dialog} onClose={done} aria-labelledby={id} data-dialog>
      <header>
        <h2 id={id}>{t('servers.console')}</h2>
        <button className="btn quiet s icon" type="button" aria-label={t('servers.close')} data-closes>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: it is a part that scrolls, not a set of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div ref={scroller} tabIndex={0} role="group" aria-labelledby={id}>
        {shown.length === 0 && <p className="meta">{t('servers.console_view_none')}</p>}
        {shown.length < lines.length && (
          <p className="meta">{count('servers.console_view_cut', shown.length)}</p>
        )}
        <ol className="viewed" dir="ltr" translate="no">
          {shown.map((line) => (
            // numbers begin again with each start of the server
            <li key={`${line.seq} ${line.at}`} className={displayLine(line).level}>
              <code>
                <LineParts parts={lineParts(displayLine(line), '', 0)} reachable />
              </code>
            </li>
          ))}
        </ol>
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {t('servers.close')}
        </button>
        <button
          className="btn"
          type="button"
          data-copied={t('servers.copied')}
          data-copy={shown.map((line) => displayLine(line).text).join('\n')}
        >
          <Icon name="copy" />
          {t('servers.console_copy')}
        </button>
      </footer>
    </dialog>
  );
}
