import { useEffect, useState } from 'react';

/** Cron expressions in words. What says them is loaded when something is to be said. */

type Say = (cron: string) => string;
let saying: { formatting: string; say: Promise<Say> } | null = null;

async function load(formatting: string): Promise<Say> {
  const language = formatting.slice(0, 2);
  const { hourCycle } = new Intl.DateTimeFormat(formatting, { hour: 'numeric' }).resolvedOptions();
  const use24HourTimeFormat = !hourCycle?.startsWith('h1');
  const { default: cronstrue } = await import('cronstrue');
  if (language === 'de') await import('cronstrue/locales/de');
  if (language === 'ar') await import('cronstrue/locales/ar');
  const locale = language === 'de' || language === 'ar' ? language : 'en';
  // "every 15 minutes" says already that it is every hour and every day; "at 04:00" does not
  const verbose = (cron: string) => !/^\S+ \*/.test(cron);
  return (cron) => cronstrue.toString(cron, { locale, verbose: verbose(cron), use24HourTimeFormat }).trim();
}

/** An expression in the language of the page; null until it is known, and for one that is none. */
export function useSentence(cron: string, formatting: string): string | null {
  const [sentence, setSentence] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (saying?.formatting !== formatting) saying = { formatting, say: load(formatting) };
    saying.say.then((say) => isCurrent && setSentence(say(cron))).catch(() => isCurrent && setSentence(null));
    return () => {
      isCurrent = false;
    };
  }, [cron, formatting]);
  return sentence;
}
