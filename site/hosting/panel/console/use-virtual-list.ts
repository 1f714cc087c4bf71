import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { beginnings, line_px, rowAt, windowOf } from './row-heights.ts';
import { heightsOf, type Item, keyOf } from './rows.ts';

/** The rendered part of the list, and its scroll position while lines are added and removed. */
export interface Drawn {
  scroller: RefObject<HTMLDivElement | null>;
  probe: RefObject<HTMLElement | null>;
  starts: Uint32Array;
  /** Characters in one line; 0 until it was measured. */
  columns: number;
  from: number;
  to: number;
  /** Whether the newest line is visible, and new ones are followed. */
  isFollowing: boolean;
  onScroll(): void;
  toEnd(): void;
  /** Scrolls to the item, centered unless `near`. */
  show(at: number, near?: boolean): void;
}

const near_px = line_px;

export function useVirtualList(items: readonly Item[]): Drawn {
  const scroller = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 0, columns: 0 });
  const [isFollowing, setFollowing] = useState(true);
  const follows = useRef(true);
  /** The item at the top edge and its offset: the scroll anchor when rows above change. */
  const anchor = useRef({ key: '', above: 0 });
  const starts = useMemo(() => beginnings(heightsOf(items, view.columns)), [items, view.columns]);

  const measure = useCallback(() => {
    const box = scroller.current;
    const sample = probe.current;
    if (!box || !sample) return;
    // the end stays in sight when suggestions take room from the lines
    if (follows.current) box.scrollTop = box.scrollHeight;
    const cell = sample.getBoundingClientRect().width / (sample.textContent?.length || 1);
    const room = sample.parentElement?.getBoundingClientRect().width ?? 0;
    const columns = cell > 0 ? Math.max(1, Math.floor(room / cell + 0.01)) : 0;
    setView((now) =>
      now.height === box.clientHeight && now.columns === columns
        ? now
        : { top: box.scrollTop, height: box.clientHeight, columns },
    );
  }, []);
  useEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    // the sample changes with the font, also without the room around it
    for (const one of [scroller.current, probe.current, probe.current?.parentElement])
      if (one) observer.observe(one);
    return () => observer.disconnect();
  }, [measure]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    follows.current = box.scrollTop + box.clientHeight >= box.scrollHeight - near_px;
    setFollowing(follows.current);
    const at = rowAt(starts, Math.floor(box.scrollTop / line_px));
    const item = items[at];
    anchor.current = { key: item ? keyOf(item) : '', above: box.scrollTop - (starts[at] ?? 0) * line_px };
    setView((now) => (now.top === box.scrollTop ? now : { ...now, top: box.scrollTop }));
  }, [items, starts]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (follows.current) box.scrollTop = box.scrollHeight;
    else {
      const { key, above } = anchor.current;
      const at = items.findIndex((item) => keyOf(item) === key);
      if (at >= 0) box.scrollTop = starts[at]! * line_px + above;
    }
    setView((now) => (now.top === box.scrollTop ? now : { ...now, top: box.scrollTop }));
  }, [items, starts]);

  const [from, to] = windowOf(starts, view.top, view.height);
  return {
    scroller,
    probe,
    starts,
    columns: view.columns,
    from,
    to,
    isFollowing,
    onScroll,
    toEnd: () => {
      const box = scroller.current;
      if (!box) return;
      follows.current = true;
      setFollowing(true);
      box.scrollTop = box.scrollHeight;
    },
    show: (at, near = false) => {
      const box = scroller.current;
      if (!box || starts.length < 2) return;
      const top = starts[at]! * line_px;
      const bottom = starts[at + 1]! * line_px;
      if (!near) box.scrollTop = top - box.clientHeight / 2;
      else if (top < box.scrollTop) box.scrollTop = top;
      else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
      onScroll();
    },
  };
}
