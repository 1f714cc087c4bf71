import { $flags } from '../../flags/flags.store.ts';
import { relativeDate } from '../../text/format.ts';
import { pageLanguage } from '../../text/page-language.ts';

/** Pages are kept for minutes: what is older says the same. To know the words for it all takes longer than the rest. */
const settled_ms = 24 * 60 * 60 * 1000;

/**
 * Pages are kept as long as nothing on them changes; "3 hours ago" changes by itself, or is the date if one likes.
 * With `fresh` words that a server just wrote for older times stay.
 */
export function updateTimes(within: ParentNode, recent = false): void {
  const now = new Date();
  const { relativeDates } = $flags.get();
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    if (!relativeDates) time.textContent = time.title || time.textContent;
    else if (!recent || now.getTime() - Date.parse(time.dateTime) < settled_ms)
      time.textContent = relativeDate(pageLanguage, time.dateTime, now);
  }
}
updateTimes(document, true);
