import type { Page } from 'playwright/test';
import { demoId } from '#db/demo/ids.ts';
import type { Weight } from './weigh.ts';

/** What a page may weigh at most: bytes compressed, requests besides pictures that people uploaded. */
export interface Budget extends Omit<Weight, 'uncompressed'> {
  name: string;
  path: string;
  /** What a visitor does before it is weighed, where everything loaded counts. */
  work?(page: Page): Promise<void>;
}

/** Source: decisions §3.3. The bound of style sheets is our own. */
const most = { script_bytes: 15_000, style_bytes: 12_000, total_bytes: 200_000, requests: 20 };

/** Types a word, so that all that searching needs is there. */
async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('lan');
  await page.waitForURL(/[?&]q=lan/);
}

/** The table: `npm test` fails when a page of the demo world outgrows its line, the benchmark measures the same pages. */
export const budgets: readonly Budget[] = [
  { name: 'home', path: '/', ...most },
  { name: 'search', path: '/mods', ...most, script_bytes: 90_000, work: search },
  { name: 'project', path: '/mod/lanternroot', ...most },
  { name: 'versions', path: '/mod/lanternroot/versions', ...most },
  // these two show descriptions, lists and filters at once
  { name: 'version', path: '/mod/lanternroot/version/2.7.2', ...most, style_bytes: 12_600 },
  { name: 'changelog', path: '/mod/lanternroot/changelog', ...most, style_bytes: 12_600 },
  { name: 'user', path: '/user/fen', ...most },
  { name: 'collection', path: `/collection/${demoId('collection mirelle Slow evenings')}`, ...most },
  { name: 'settings', path: '/settings', ...most },
  { name: 'languages', path: '/settings/language', ...most },
];
