import { useEffect, useState } from 'react';
import { relative } from '../../text/format.ts';
import { useMessages } from '../../text/MessagesContext.tsx';

/** "Last seen 4 minutes ago", kept up to date. */
export function RelativeTime({ since }: { since: string }) {
  const { t, formatting } = useMessages();
  const [now, setNow] = useState<Date | null>(null);
  useEffect(() => {
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), 10_000);
    return () => clearInterval(timer);
  }, []);
  if (!now) return <time dateTime={since} />;
  return <time dateTime={since}>{t('servers.seen_ago', { when: relative(formatting, since, now) })}</time>;
}
