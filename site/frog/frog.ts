import { pageLanguage } from '../text/page-language.ts';
import { type SittingTime, sittingTime } from './sitting-time.ts';

interface DurationFormat {
  format(time: SittingTime): string;
}
/** Newer than the types of our target. */
const { DurationFormat } = Intl as {
  DurationFormat?: new (
    language: string,
    options: { style: 'long'; secondsDisplay: 'always' },
  ) => DurationFormat;
};

/** Counts how long the frog has been sitting and how many jokes it told; shows one joke at a time. */
function wake(pond: HTMLElement): void {
  const time = pond.querySelector<HTMLTimeElement>('[data-sitting]')!;
  const told = pond.querySelector('[data-told]')!;
  const jokes = [...pond.querySelectorAll('.jokes li')];
  const number = new Intl.NumberFormat(pageLanguage.formatting);
  const since = new Date(time.dateTime);
  let count = 1;
  told.textContent = number.format(count);
  pond.querySelector('[data-again]')!.addEventListener('click', () => {
    jokes[(count - 1) % jokes.length]?.classList.remove('on');
    jokes[count % jokes.length]?.classList.add('on');
    count += 1;
    told.textContent = number.format(count);
  });

  if (!DurationFormat) {
    time.closest('div')?.remove();
    return;
  }
  const duration = new DurationFormat(pageLanguage.formatting, {
    style: 'long',
    secondsDisplay: 'always',
  });
  const show = () => {
    time.textContent = duration.format(sittingTime(since, new Date()));
  };
  show();
  setInterval(show, 1000);
}

for (const pond of document.querySelectorAll<HTMLElement>('[data-frog]')) wake(pond);
