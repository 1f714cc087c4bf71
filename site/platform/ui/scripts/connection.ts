import { Backoff } from '#db/platform/runtime/backoff.ts';
import { requestFrom } from '../../browser/api-client.ts';
import { $lastResponse, $outage, isSuspicious, outageOf } from '../../browser/connection.store.ts';
import { readMessages } from '../../text/message-reader.ts';

/**
 * The banner at the bottom of the window about the connection to the site, while there is a problem: offline, no
 * answer, rate limit, missing parts. Source: specification §8 (banners).
 */
const line = document.querySelector<HTMLElement>('[data-trouble]');
/** Pauses between two requests for the site's readiness. */
const pauses = new Backoff({ min_ms: 1_000, max_ms: 30_000 });
const limited_s = 60;

let timer: ReturnType<typeof setTimeout> | undefined;

$outage.listen((trouble) => {
  if (!line) return;
  const { t } = readMessages<'shell.trouble_'>(line);
  line.classList.toggle('bad', trouble === 'offline' || trouble === 'down');
  line.querySelector('[data-title]')!.textContent = trouble ? t(`shell.trouble_${trouble}`) : '';
  line.querySelector('[data-text]')!.textContent = trouble ? t(`shell.trouble_${trouble}_text`) : '';
  line.querySelector<HTMLElement>('[data-again]')!.hidden = trouble === 'limited' || trouble === 'incomplete';
  line.classList.toggle('on', trouble !== null);
  // toasts stay above it
  document.body.style.setProperty('--trouble', `${line.offsetHeight}px`);
});

async function check(): Promise<void> {
  if (!navigator.onLine) return $outage.set('offline');
  const answer = await requestFrom('/readyz', { cache: 'no-store' });
  const found = (await answer?.json().catch(() => null)) as { missing?: string[] } | null | undefined;
  $outage.set(found?.missing ? outageOf(found.missing) : 'down');
  if ($outage.get()) checkLater();
}

/** Requests the site's readiness again after a pause, which grows until all is well. */
function checkLater(): void {
  clearTimeout(timer);
  timer = setTimeout(check, pauses.next());
}

function checkNow(): void {
  pauses.reset();
  clearTimeout(timer);
  void check();
}

$lastResponse.listen((response) => {
  if (response?.status === 429) {
    $outage.set('limited');
    clearTimeout(timer);
    timer = setTimeout(() => $outage.set(null), (response.retry_after_s ?? limited_s) * 1000);
  } else if (response && isSuspicious(response) && $outage.get() === null) {
    pauses.reset();
    checkLater();
  }
});
addEventListener('offline', () => $outage.set('offline'));
addEventListener('online', checkNow);
line?.querySelector('[data-again]')?.addEventListener('click', checkNow);
