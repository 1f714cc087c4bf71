import { readMessages } from '../../text/message-reader.ts';

/** Larger numbers are shown as this and a plus sign. */
const most_shown = 99;

/** Shows on the bell how many notifications are unread. Loaded for signed-in users who have some. */
export function showUnread(count: number): void {
  const shown = count > most_shown ? `${most_shown}+` : String(count);
  for (const bell of document.querySelectorAll<HTMLElement>('[data-unread]'))
    bell.ariaLabel = readMessages<'shell.unread'>(bell).t('shell.unread', { count, shown });
  for (const badge of document.querySelectorAll<HTMLElement>('[data-unread-count]')) {
    badge.textContent = shown;
    badge.hidden = count === 0;
  }
}
