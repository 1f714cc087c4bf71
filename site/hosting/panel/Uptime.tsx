import { useEffect, useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { durationParts } from '../shared/time.ts';

/** The time since `since`, ticking; in the browser only, by its clock. */
export function Uptime({ since }: { since: string }) {
  const { count } = useMessages();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (now === null) return <time dateTime={since} className="clock" />;
  const { days, clock } = durationParts(now - Date.parse(since));
  return (
    <time dateTime={since} className="clock">
      {days > 0 && `${count('servers.days', days)} `}
      {clock}
    </time>
  );
}
