import { useEffect, useRef, useState } from 'react';
import { useWords } from '../Words.tsx';
import type { Row } from './merge.ts';
import { shownLine } from './shown-line.ts';

/** At most this many lines are read out, once in so long: nobody can follow a flood by ear. */
const most = 3;
const pause_ms = 2500;
const letters = 200;

/** The newest lines for those who hear the page: the last few that came since the last time. */
export function Heard({ rows }: { rows: readonly Row[] }) {
  const { say } = useWords();
  const [lines, setLines] = useState<ReadonlyArray<{ key: string; text: string }>>([]);
  const newest = useRef(rows);
  const told = useRef<string | null>(null);
  newest.current = rows;
  useEffect(() => {
    const timer = setInterval(() => {
      const all = newest.current;
      const last = all.at(-1)?.key ?? '';
      if (told.current === null || told.current === last) {
        told.current = last;
        return;
      }
      const from = all.findLastIndex(({ key }) => key === told.current) + 1;
      told.current = last;
      const fresh = all.slice(Math.max(from, all.length - most));
      setLines(fresh.flatMap(spoken));
    }, pause_ms);
    return () => clearInterval(timer);
  }, []);
  return (
    <div
      className="hide"
      role="log"
      aria-live="polite"
      aria-label={say('servers.console_new')}
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
    ? [{ key: row.key, text: shownLine(row.line).text.slice(0, letters) }]
    : [];
