import { requestFrom } from '../../browser/api-client.ts';

/** While a call was just queued, looks every two seconds for its answer and then shows the new log. */
const every_ms = 2_000;
let tries = 15;

async function look(): Promise<void> {
  const log = document.querySelector<HTMLElement>('[data-webhook-log]');
  if (!log || tries-- === 0 || log.querySelector('details[open]')) return;
  const answer = await requestFrom(location.pathname + location.search);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  const fresh = page?.querySelector('#log');
  if (fresh && !fresh.hasAttribute('data-webhook-log')) location.reload();
  else setTimeout(() => void look(), every_ms);
}

setTimeout(() => void look(), every_ms);
