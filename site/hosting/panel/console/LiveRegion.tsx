import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import type { Row } from '../core/apply-update.ts';
import { displayLine } from './display-line.ts';

/** At most this many lines are announced per interval: nobody can follow a flood by ear. */
const max_spoken = 3;
const pause_ms = 2500;
const letters = 200;

/** Announces the newest lines to screen readers: the last few since the previous announcement. */
export function LiveRegion({ rows }: { rows: readonly Row[] }) {
  const { t } = useMessages();
  const [lines, setLines] = useState<ReadonlyArray<{ key: string; text: string }>>([]);
  const newest = useRef(rows);
  const announced = useRef<string | null>(null);
  newest.current = rows;
  useEffect(() => {
    const timer = setInterval(() => {
      const all = newest.current;
      const last = all.at(-1)?.key ?? '';
      if (announced.current === null || announced.current === last) {
        announced.current = last;
        return;
      }
      const from = all.findLastIndex(({ key }) => key === announced.current) + 1;
      announced.current = last;
      const added = all.slice(Math.max(from, all.length - max_spoken));
      setLines(added.flatMap(spoken));
    }, pause_ms);
    return () => clearInterval(timer);
  }, []);
  return (
    <div
      className="hide"
      role="log"
      aria-live="polite"
      aria-label={t('servers.console_new')}
      dir="ltr"
      translate="no"
    >
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

const spoken = (row: Row) =>
  row.kind === 'line' && row.line.stream !== 'in'
    ? [{ key: row.key, text: displayLine(row.line).text.slice(0, letters) }]
    : [];
