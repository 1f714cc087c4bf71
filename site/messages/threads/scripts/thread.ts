import { requestFrom } from '../../../platform/browser/api-client.ts';
import { announce } from '../../../platform/ui/scripts/live-region.ts';
import { updateTimes } from '../../../platform/ui/scripts/relative-times.ts';

/**
 * Shows what was written meanwhile, while the page is looked at and when somebody comes back to it. The reply that is being typed stays as it is: only
 * the list of messages is replaced, and only when there is something new.
 */
const between_ms = 5_000;
const every_ms = 15_000;
let asked = 0;

async function refresh(thread: HTMLElement): Promise<void> {
  if (Date.now() - asked < between_ms || !navigator.onLine) return;
  asked = Date.now();
  const answer = await requestFrom(location.pathname + location.search, { headers: { accept: 'text/html' } });
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const idsOf = (list: Element) => [...list.children].map(({ id, className }) => id + className).join();
  const [now, then] = [
    page.querySelector('[data-messages-list]'),
    thread.querySelector('[data-messages-list]'),
  ];
  if (!now || !then || idsOf(now) === idsOf(then) || then.contains(document.activeElement)) return;
  const list = document.adoptNode(now);
  then.replaceWith(list);
  updateTimes(list);
  announce(list.lastElementChild?.textContent?.replace(/\s+/g, ' ').slice(0, 200) ?? '');
}

/** A canned reply goes below what is there already, not on another page. */
function offerReplies(list: HTMLElement): void {
  list.addEventListener('click', (event) => {
    const chosen = (event.target as Element).closest<HTMLElement>('[data-canned-text]');
    if (!chosen || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const area = list.closest('form')!.querySelector('textarea')!;
    area.value = [area.value.trimEnd(), chosen.dataset.cannedText].filter(Boolean).join('\n\n');
    area.dispatchEvent(new Event('text:set'));
    list.removeAttribute('open');
    area.focus();
  });
}

for (const thread of document.querySelectorAll<HTMLElement>('[data-thread]')) {
  addEventListener('focus', () => void refresh(thread));
  setInterval(() => document.visibilityState === 'visible' && void refresh(thread), every_ms);
  for (const list of thread.querySelectorAll<HTMLElement>('[data-canned]')) offerReplies(list);
}
