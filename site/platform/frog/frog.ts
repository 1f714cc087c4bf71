import { type SittingTime, sittingTime } from './sitting-time.ts';

/**
 * Counts how long the frog has been sitting and how many jokes it told; the joke at the top of the list is the one that
 * is shown.
 */
const [time, told, jokes, again] = ['[data-sitting]', '[data-told]', '.jokes', '.pond button'].map(
  (part) => document.querySelector(part)!,
) as [HTMLTimeElement, Element, Element, Element];

let count = 0;
const tell = () => {
  count += 1;
  told.textContent = String(count);
};
tell();
again.addEventListener('click', () => {
  jokes.append(jokes.firstElementChild!);
  tell();
});

/** Newer than the types of our target, and than some browsers: they say "a while". */
const { DurationFormat } = Intl as {
  DurationFormat?: new (
    language: string | undefined,
    options: { style: 'long'; secondsDisplay: 'always' },
  ) => { format(time: SittingTime): string };
};
if (DurationFormat) {
  const duration = new DurationFormat(document.documentElement.dataset.formatting, {
    style: 'long',
    secondsDisplay: 'always',
  });
  const since = new Date(time.dateTime);
  const show = () => {
    time.textContent = duration.format(sittingTime(since, new Date()));
  };
  show();
  setInterval(show, 1000);
}
