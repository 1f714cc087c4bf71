import { $flags } from '../../flags/flags.store.ts';
import { relativeDate, relativeStep } from '../../text/format.ts';
import { pageLanguage } from '../../text/page-language.ts';

/**
 * Updates relative times on cached and prerendered pages ("3 hours ago"), or replaces them by dates if the visitor
 * prefers that. A text that is still right is left alone: loading the formats of a language takes 50 ms on a phone.
 */
export function updateTimes(within: ParentNode): void {
  const now = new Date();
  const { relativeDates } = $flags.get();
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const step = relativeStep(time.dateTime, now);
    if (!relativeDates) {
      time.textContent = time.title || time.textContent;
      time.dataset.relative = 'exact';
    } else if (time.dataset.relative !== step) {
      time.textContent = relativeDate(pageLanguage, time.dateTime, now);
      time.dataset.relative = step;
    }
  }
}
updateTimes(document);
