import { type Browser, chromium } from 'playwright/test';
import { atMost, type Row, ratioAtMost } from '../report.ts';
import { type Budget, budgets } from './budgets.ts';
import { openDemoSession } from './demo-session.ts';
import { withoutScripts } from './no-scripts.ts';
import { type Visit, visit } from './visit.ts';
import { weigh } from './weigh.ts';

const visits = Number(process.env.BENCH_VISITS ?? 5);

/** Weight, load times and layout shift of every page in the budgets, on a slow phone. */
export async function measurePageMetrics(url: string, executablePath: string | null): Promise<Row[]> {
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  });
  const stripped = await withoutScripts(url);
  try {
    const rows: Row[] = [];
    for (const budget of budgets) {
      rows.push(...(await weighed(browser, url, budget)));
      // the bare server has no sessions
      if (!budget.signed_in) rows.push(...(await visited(browser, url, stripped.url, budget)));
    }
    return rows;
  } finally {
    await stripped.stop();
    await browser.close();
  }
}

async function weighed(browser: Browser, url: string, budget: Budget): Promise<Row[]> {
  const { name, path, work, signed_in, account } = budget;
  const context = await browser.newContext({ baseURL: url });
  try {
    const page = await context.newPage();
    if (signed_in) await openDemoSession(page, account);
    const weight = await weigh(page, path, work);
    const kB = (what: string, key: 'script_bytes' | 'style_bytes' | 'total_bytes') =>
      atMost(`${name}: ${what}`, weight[key] / 1000, budget[key] / 1000, 'kB');
    return [
      kB(work ? 'scripts, everything loaded' : 'scripts before anything is done', 'script_bytes'),
      kB('style sheets', 'style_bytes'),
      kB('all but uploaded pictures', 'total_bytes'),
      atMost(`${name}: requests but for uploaded pictures`, weight.requests, budget.requests, ''),
    ];
  } finally {
    await context.close();
  }
}

/** Visits with and without scripts in turns, so that other load affects both; reports medians. */
async function visited(browser: Browser, url: string, bare: string, budget: Budget): Promise<Row[]> {
  const { name, path } = budget;
  const ours: Visit[] = [];
  const baseline: Visit[] = [];
  await visit(browser, bare + path); // both have it cached now
  for (let round = 0; round < visits; round++) {
    baseline.push(await visit(browser, bare + path));
    ours.push(await visit(browser, url + path));
  }
  const median = (list: Visit[], key: keyof Visit) =>
    list.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  const without = (key: keyof Visit, unit: string) =>
    `${Number(median(baseline, key).toPrecision(3))} ${unit} without scripts`.replace('  ', ' ');
  const [lcp, lcp_bare] = [median(ours, 'lcp_ms'), median(baseline, 'lcp_ms')];
  return [
    ratioAtMost(budget.prerendered ? 1.2 : 1.3, {
      name: `${name}: LCP to the same page without scripts`,
      ratio: lcp / lcp_bare,
      ours: `${lcp.toFixed(0)} ms`,
      baseline: `${lcp_bare.toFixed(0)} ms`,
    }),
    { ...atMost(`${name}: TBT`, median(ours, 'tbt_ms'), 100, 'ms'), baseline: without('tbt_ms', 'ms') },
    { ...atMost(`${name}: CLS`, median(ours, 'cls'), 0.02, ''), baseline: without('cls', '') },
  ];
}
