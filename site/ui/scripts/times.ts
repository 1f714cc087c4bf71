import { $flags } from '../../flags/flags.store.ts';
import { relativeDate } from '../../text/format.ts';

const { lang: locale, dataset } = document.documentElement;
const formatting = dataset.formatting ?? locale;

/** Pages are kept as long as nothing on them changes; "3 days ago" changes by itself, or is the date if one likes. */
export function tellTimes(within: ParentNode): void {
  const now = new Date();
  const { relativeDates } = $flags.get();
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    if (!relativeDates) time.textContent = time.title || time.textContent;
    else time.textContent = relativeDate({ locale, formatting, t: (key) => key }, time.dateTime, now);
  }
}
tellTimes(document);
