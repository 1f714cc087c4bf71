import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { ConsoleLine } from './ConsoleLine.tsx';
import { line_px } from './row-heights.ts';
import { type Item, keyOf } from './rows.ts';
import type { Drawn } from './use-virtual-list.ts';

/** First and last selected item. */
export type Chosen = readonly [number, number] | null;

interface LinesProps {
  items: readonly Item[];
  drawn: Drawn;
  query: string;
  chosen: Chosen;
  choose(chosen: Chosen): void;
  /** Shows a search result in its position among all lines. */
  open(at: number): void;
  copy(): void;
}

const page = 15;

/**
 * The virtual list of lines: only visible rows are in the DOM. Arrow keys move from line to line, with Shift they
 * select, Ctrl+A selects all, Ctrl+C copies, Enter shows a search result in its context, Escape clears the selection.
 */
export function Lines({ items, drawn, query, chosen, choose, open, copy }: LinesProps) {
  const { t } = useMessages();
  const { scroller, probe, starts, columns, from, to } = drawn;
  const [here, setHere] = useState<number | null>(null);
  /** Where the selection started. */
  const begun = useRef(0);
  /** Whether to focus the active line once it is rendered. */
  const toFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are shown after another search
  useEffect(() => setHere(null), [query]);

  const walk = (to: number, choosing: boolean) => {
    const at = Math.min(items.length - 1, Math.max(0, to));
    if (at < 0) return;
    if (!choosing) begun.current = at;
    setHere(at);
    choose(choosing ? ordered(begun.current, at) : null);
    drawn.show(at, true);
    toFocus.current = true;
  };
  useLayoutEffect(() => {
    if (!toFocus.current || here === null) return;
    toFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-at="${here}"]`)?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const from = here ?? items.length;
    const steps: Record<string, number> = {
      ArrowUp: from - 1,
      ArrowDown: from + 1,
      PageUp: from - page,
      PageDown: from + page,
      Home: 0,
      End: items.length - 1,
    };
    const isCommand = event.ctrlKey || event.metaKey;
    if (key in steps) walk(steps[key]!, shiftKey);
    else if (isCommand && key === 'a') choose([0, items.length - 1]);
    else if (isCommand && key === 'c' && chosen && getSelection()?.isCollapsed !== false) copy();
    else if (key === 'Enter' && here !== null && query !== '') open(here);
    else if (key === 'Escape' && chosen) choose(null);
    else return;
    event.preventDefault();
    if (key === 'Escape') event.stopPropagation();
  };
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    const at = Number((target as Element).closest<HTMLElement>('[data-at]')?.dataset.at ?? Number.NaN);
    if (Number.isNaN(at) || getSelection()?.isCollapsed === false || isLink(target)) return;
    if (shiftKey) choose(ordered(begun.current, at));
    else if (query !== '') open(at);
    else {
      begun.current = at;
      choose(null);
    }
    setHere(at);
  };
  const pinned = here !== null && (here < from || here >= to) && here < items.length ? [here] : [];
  const displayed = [...Array(Math.max(0, to - from)).keys()].map((i) => from + i).concat(pinned);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a part that scrolls, not a set of fields
    <div
      ref={scroller}
      className="scroll"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label={t('servers.console_lines')}
      aria-describedby="console-keys"
      data-lines
      dir="ltr"
      translate="no"
      onScroll={drawn.onScroll}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <ol style={{ blockSize: `${(starts.at(-1) ?? 0) * line_px}px` }}>
        {displayed.map((at) => (
          <ConsoleLine
            key={keyOf(items[at]!)}
            item={items[at]!}
            at={at}
            all={items.length}
            top={starts[at]!}
            lines={starts[at + 1]! - starts[at]!}
            query={query}
            columns={columns}
            chosen={chosen !== null && at >= chosen[0] && at <= chosen[1]}
            here={at === here}
          />
        ))}
      </ol>
      <p className="probe" aria-hidden="true">
        <time />
        <span className="lv" />
        <code>
          <span ref={probe}>00000000000000000000000000000000</span>
        </code>
      </p>
    </div>
  );
}

const isLink = (target: EventTarget): boolean => (target as Element).closest('a') !== null;
const ordered = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a]);
