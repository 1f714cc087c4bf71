import { useEffect, useState } from 'react';
import { relative } from '../../platform/text/format.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

const sentences = { seen: 'servers.seen_ago', warning: 'servers.warned_ago' } as const;

/** "Last seen 4 minutes ago", or "Happened 4 minutes ago", kept up to date. */
export function RelativeTime({ since, of = 'seen' }: { since: string; of?: keyof typeof sentences }) {
  const { t, formatting } = useMessages();
  const [now, setNow] = useState<Date | null>(null);
  useEffect(() => {
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), 10_000);
    return () => clearInterval(timer);
  }, []);
  if (!now) return <time dateTime={since} />;
  return <time dateTime={since}>{t(sentences[of], { when: relative(formatting, since, now) })}</time>;
}
