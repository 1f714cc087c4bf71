import { relativeDate } from '../../text/format.ts';

/** Pages are kept as long as nothing on them changes; "3 days ago" changes by itself. */
const { lang: locale, dataset } = document.documentElement;
const formatting = dataset.formatting ?? locale;
const now = new Date();
for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
  time.textContent = relativeDate({ locale, formatting, t: (key) => key }, time.dateTime, now);
}
