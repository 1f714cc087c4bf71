import type { Browser } from 'playwright/test';

/** Metrics of a visit with a phone on a slow connection. */
export interface Visit {
  lcp_ms: number;
  /** Total blocking time: what tasks took beyond 50 ms each, from the first paint until idle. */
  tbt_ms: number;
  /** Sum of all layout shifts, not only of the worst session window. */
  cls: number;
}

/** Slow 4G and a processor four times slower, as in Chromium's developer tools and Lighthouse. */
const slow_line = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (750e3 * 0.9) / 8,
};
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };

interface Seen {
  lcp: number;
  cls: number;
  long: Array<{ start: number; duration: number }>;
}

/** One visit with an empty cache. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const shaping = await context.newCDPSession(page);
    await shaping.send('Network.enable');
    await shaping.send('Network.emulateNetworkConditions', slow_line);
    await shaping.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: 'networkidle', timeout: 90_000 });
    // paint entries arrive late
    await page.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.lcp > 0);
    await page.waitForTimeout(500);
    const { lcp, cls, long, first } = await page.evaluate(() => ({
      ...(globalThis as unknown as { seen: Seen }).seen,
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    }));
    const blocking = long
      .filter(({ start }) => start >= first)
      .reduce((sum, { duration }) => sum + duration - 50, 0);
    return { lcp_ms: lcp, tbt_ms: blocking, cls };
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const seen: Seen = { lcp: 0, cls: 0, long: [] };
  (globalThis as unknown as { seen: Seen }).seen = seen;
  const each = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  each('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  each('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!shift.hadRecentInput) seen.cls += shift.value;
  });
  each('longtask', ({ startTime, duration }) => seen.long.push({ start: startTime, duration }));
}
