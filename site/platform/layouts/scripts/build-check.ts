import { requestFrom } from '../../browser/api-client.ts';
import { $outage, outageOf } from '../../browser/connection.store.ts';
import { $flags } from '../../flags/flags.store.ts';
import { type RouteRule, redirectOf } from '../../http/redirects.ts';

/**
 * Detects new builds. The route rules of this page's build are loaded after a second and cached forever; the latest
 * build is polled now and then, and when the page becomes visible. With a newer build the next navigation is a full
 * page load, also where a page would only change its address. Source: specification §4 (Navigation), §7, §9.
 */
const first_ms = 1_000;
/** The specification names no interval: short enough to notice within a visit, long enough to cost nothing. */
const every_ms = 5 * 60_000;
const root = document.documentElement;
const own_build = root.dataset.build ?? '';

let isOld = false;
let checked_at = Date.now();
let rules: readonly RouteRule[] = [];

async function json<T>(path: string): Promise<T | null> {
  const answer = await requestFrom(path);
  return answer?.ok ? ((await answer.json().catch(() => null)) as T | null) : null;
}

async function check(): Promise<void> {
  checked_at = Date.now();
  const latest = await json<{ id: string; missing: string[] }>(`/builds/latest.json?t=${checked_at}`);
  if (!latest) return; // no answer says nothing about the build
  isOld = latest.id !== own_build;
  root.toggleAttribute('data-new-build', isOld);
  const trouble = outageOf(latest.missing);
  if (trouble || $outage.get() === 'incomplete') $outage.set(trouble);
}

setTimeout(async () => {
  const meta = await json<{ redirects: RouteRule[] }>(`/builds/meta/${own_build}.json`);
  if (meta) rules = meta.redirects;
  else void check();
}, first_ms);
setInterval(() => document.visibilityState === 'visible' && check(), every_ms);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && Date.now() - checked_at > every_ms) void check();
});
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted) return;
  await check();
  if (isOld && $flags.get().reloadOnNewBuild) location.reload();
});

// turns a same-document navigation into a full page load
globalThis.navigation?.addEventListener('navigate', (event) => {
  const { destination, navigationType, hashChange, cancelable } = event;
  if (!isOld || !destination.sameDocument || navigationType !== 'push' || hashChange || !cancelable) return;
  if (!$flags.get().reloadOnNewBuild) return;
  event.preventDefault();
  location.assign(destination.url);
});

// a link with a known redirect goes directly to the target
document.addEventListener(
  'click',
  ({ target }) => {
    const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
    const led = link?.origin === location.origin ? redirectOf(rules, link.pathname, link.search) : null;
    if (link && led) link.href = led.to;
  },
  { capture: true },
);
