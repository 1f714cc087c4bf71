import { requestFrom } from '../../../platform/browser/api-client.ts';

/**
 * While a call was just queued, looks every two seconds for its answer and then shows the new log. A page on which
 * something was typed is not loaded again: that would be lost.
 */
const every_ms = 2_000;
let tries = 15;

async function look(): Promise<void> {
  const log = document.querySelector<HTMLElement>('[data-webhook-log]');
  if (!log || tries-- === 0 || log.querySelector('details[open]')) return;
  const answer = await requestFrom(location.pathname + location.search);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  const fresh = page?.querySelector('#log');
  const isTyping =
    document.querySelector('[data-dirty]') !== null || document.activeElement?.matches('input, textarea');
  if (fresh && !fresh.hasAttribute('data-webhook-log') && !isTyping) location.reload();
  else setTimeout(() => void look(), every_ms);
}

setTimeout(() => void look(), every_ms);
