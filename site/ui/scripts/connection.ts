import { $heard, $trouble, isSuspicious, type Trouble, troubleOf } from '../connection.store.ts';

/**
 * The line at the foot of the window that says what is wrong between this page and the site, for as long as it is: no
 * connection, no answer, too many requests, parts that are missing. Source: spec §8 (banners).
 */
const line = document.querySelector<HTMLElement>('[data-trouble]');
const words = JSON.parse(line?.dataset.trouble ?? '{}') as Partial<Record<Trouble, [string, string]>>;
/** Waits between two questions how the site is, in milliseconds; the last one goes on. */
const waits_ms = [1_000, 4_000, 10_000, 30_000];
const limited_s = 60;

let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

$trouble.listen((trouble) => {
  if (!line) return;
  const [title = '', text = ''] = (trouble && words[trouble]) || [];
  line.classList.toggle('bad', trouble === 'offline' || trouble === 'down');
  line.querySelector('[data-title]')!.textContent = title;
  line.querySelector('[data-text]')!.textContent = text;
  line.querySelector<HTMLElement>('[data-again]')!.hidden = trouble === 'limited' || trouble === 'incomplete';
  line.classList.toggle('on', trouble !== null);
});

async function ask(): Promise<void> {
  if (!navigator.onLine) return $trouble.set('offline');
  const answer = await fetch('/readyz', { cache: 'no-store' }).catch(() => null);
  const found = (await answer?.json().catch(() => null)) as { missing?: string[] } | null | undefined;
  $trouble.set(found?.missing ? troubleOf(found.missing) : 'down');
  if ($trouble.get()) askLater();
}

/** Asks how the site is, a little later each time until all is well. */
function askLater(): void {
  clearTimeout(timer);
  timer = setTimeout(ask, waits_ms[Math.min(asked, waits_ms.length - 1)]);
  asked += 1;
}

function askNow(): void {
  asked = 0;
  clearTimeout(timer);
  void ask();
}

$heard.listen((heard) => {
  if (heard?.status === 429) {
    $trouble.set('limited');
    clearTimeout(timer);
    timer = setTimeout(() => $trouble.set(null), (heard.retry_after_s ?? limited_s) * 1000);
  } else if (heard && isSuspicious(heard) && $trouble.get() === null) {
    asked = 0;
    askLater();
  }
});
addEventListener('offline', () => $trouble.set('offline'));
addEventListener('online', askNow);
line?.querySelector('[data-again]')?.addEventListener('click', askNow);
