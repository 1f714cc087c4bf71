import { useEffect, useState } from 'react';
import { relative } from '../../platform/text/format.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { exactTime } from './time.ts';

/** When something was: how long ago, kept up to date, and the exact time. */
export function Created({ since }: { since: string }) {
  const { t, formatting } = useMessages();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  // a clock that is behind must not say "in 3 seconds"
  const before = new Date(Math.max(now.getTime(), Date.parse(since)));
  return (
    <time dateTime={since}>
      {t('backup.when', { exact: exactTime(formatting, since), ago: relative(formatting, since, before) })}
    </time>
  );
}
