import { $flags } from '../../flags/flags.store.ts';
import { relativeDate } from '../../text/format.ts';
import { pageLanguage } from '../../text/page-language.ts';

/** Pages are cached for minutes, so older times are still right; loading the formats for all of them takes too long. */
const settled_ms = 24 * 60 * 60 * 1000;

/**
 * Updates relative times on cached pages ("3 hours ago"), or replaces them by dates if the visitor prefers that. With
 * `recent`, older times stay as the server just rendered them; those of prerendered pages are always updated.
 */
export function updateTimes(within: ParentNode, recent = false): void {
  const now = new Date();
  const { relativeDates } = $flags.get();
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    if (!relativeDates) time.textContent = time.title || time.textContent;
    else if (
      !recent ||
      time.dataset.relative === 'always' ||
      now.getTime() - Date.parse(time.dateTime) < settled_ms
    )
      time.textContent = relativeDate(pageLanguage, time.dateTime, now);
  }
}
updateTimes(document, true);
