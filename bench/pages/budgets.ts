import type { Page } from 'playwright/test';
import { demoId } from '#db/demo/ids.ts';
import type { Weight } from './weigh.ts';

/** Size limits of a page: compressed bytes, and requests without user images. */
export interface Budget extends Omit<Weight, 'uncompressed'> {
  name: string;
  path: string;
  /** Whether the build renders it: then its speed has closer targets. */
  prerendered?: true;
  /** Whether only signed-in people see it. */
  signed_in?: true;
  /** As which demo account: a creator by default. */
  account?: number;
  /** Interaction before the measurement, for pages where everything loaded counts. */
  work?(page: Page): Promise<void>;
}

/** Source: decisions §3.3. The bound of style sheets is our own. */
const most = { script_bytes: 15_000, style_bytes: 12_200, total_bytes: 200_000, requests: 20 };

/** Pages that people read. Fonts are 84 kB of the whole. Source: decisions §3.3. */
const prerendered = {
  ...most,
  // 12,000 were the aim; the count on the bell, the first click on a bookmark and the report of a view take the rest
  script_bytes: 12_800,
  style_bytes: 13_000,
  total_bytes: 140_000,
  prerendered: true,
} as const;

/** Of a page with a chart: React, at most 15 kB for the screen and 45 kB for the chart, beside what every page has. */
const chart = { script_bytes: 112_000, style_bytes: 14_500, total_bytes: 360_000, requests: 40 } as const;

/** Types a word, so that everything that search needs is loaded. */
async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('lan');
  await page.waitForURL(/[?&]q=lan/);
}

/**
 * The budgets: `npm test` fails when a page of the demo content exceeds its budget; the benchmark measures the same
 * pages.
 */
const all: readonly Budget[] = [
  { name: 'home', path: '/', ...most },
  // filters that fold say what opens and what closes them
  { name: 'search', path: '/mods', ...most, style_bytes: 12_400, script_bytes: 90_000, work: search },
  // these have descriptions, lists and filters at once, and what members see
  { name: 'project', path: '/mod/lanternroot', ...most, style_bytes: 13_000 },
  { name: 'versions', path: '/mod/lanternroot/versions', ...most, style_bytes: 13_000 },
  { name: 'gallery', path: '/mod/lanternroot/gallery', ...most, style_bytes: 13_000 },
  { name: 'version', path: '/mod/lanternroot/version/2.4.1', ...most, style_bytes: 13_000 },
  { name: 'changelog', path: '/mod/lanternroot/changelog', ...most, style_bytes: 13_000 },
  { name: 'contents', path: '/modpack/long-winter/contents', ...most, style_bytes: 13_000 },
  { name: 'user', path: '/user/fen', ...most },
  { name: 'collection', path: `/collection/${demoId('collection mirelle Slow evenings')}`, ...most },
  { name: 'settings', path: '/settings', ...most },
  // many parts, each with its small script or style sheet
  { name: 'account settings', path: '/settings/account', ...most, requests: 22, signed_in: true },
  { name: 'profile settings', path: '/settings/profile', ...most, requests: 24, signed_in: true },
  // the list that is put in order, the unsaved bar and the names offered while one is typed
  {
    name: 'members',
    path: '/mod/millrace/settings/members',
    ...most,
    style_bytes: 13_500,
    requests: 26,
    signed_in: true,
  },
  {
    name: 'notification settings',
    path: '/settings/notifications',
    ...most,
    signed_in: true,
  },
  {
    name: 'notifications of a project',
    path: `/settings/notifications/${demoId('project millrace')}`,
    ...most,
    signed_in: true,
  },
  { name: 'new token', path: '/settings/pats/new', ...most, signed_in: true },
  ...['general', 'disclosures', 'environment', 'license', 'links', 'tags'].map((part) => ({
    name: `${part} settings of a project`,
    path: `/mod/millrace/settings/${part}`,
    ...most,
    // the styles of settings, forms and cards; all licenses by name
    style_bytes: 13_700,
    // every license by name, to choose from by typing; what saves in place
    ...(part === 'license' && { script_bytes: 15_700, total_bytes: 242_800 }),
    requests: 26,
    signed_in: true as const,
  })),
  {
    name: 'webhook settings',
    path: '/mod/millrace/settings/webhooks',
    ...most,
    style_bytes: 13_200,
    requests: 30,
    signed_in: true,
  },
  {
    name: 'gallery settings',
    path: '/mod/millrace/settings/gallery',
    ...most,
    // lists in order and a form's bar come on top of what every settings page has; names of files in scripts, which change
    // with any content, compress to some bytes more or less
    script_bytes: 16_300,
    style_bytes: 13_300,
    requests: 40,
    signed_in: true,
  },
  {
    name: 'description editor',
    path: '/mod/millrace/settings/description',
    ...most,
    // the editor itself; React is not on this page. Source: decisions §3.3
    script_bytes: 160_000,
    style_bytes: 13_700,
    total_bytes: 360_000,
    requests: 26,
    signed_in: true,
    work: async (page) => await page.locator('[data-editor][data-ready]').waitFor(),
  },
  {
    name: 'new version',
    path: '/mod/millrace/version/create',
    ...most,
    // an island with its React; the editor and the readers of files come when they are used
    script_bytes: 108_000,
    total_bytes: 360_000,
    requests: 24,
    signed_in: true,
  },
  {
    name: 'report',
    path: '/report?type=project&item=lanternroot',
    ...most,
    // the editor for its text
    script_bytes: 160_000,
    style_bytes: 13_700,
    total_bytes: 280_000,
    requests: 26,
    signed_in: true,
  },
  { name: 'own reports', path: '/dashboard/reports', ...most, style_bytes: 12_800, signed_in: true },
  { name: 'dashboard', path: '/dashboard', ...most, style_bytes: 12_700, signed_in: true },
  // in the frame of administration
  { name: 'review queue', path: '/moderation', ...most, style_bytes: 12_750, signed_in: true, account: 1 },
  {
    name: 'reports of everyone',
    path: '/moderation/reports',
    ...most,
    style_bytes: 12_750,
    signed_in: true,
    account: 1,
  },
  {
    name: 'file lookup',
    path: '/admin/file_lookup',
    ...most,
    style_bytes: 12_750,
    signed_in: true,
    account: 1,
  },
  { name: 'takedowns', path: '/admin/takedowns', ...most, style_bytes: 12_750, signed_in: true, account: 1 },
  // a table with filters, and a long form, in the frame of settings
  { name: 'own projects', path: '/dashboard/projects', ...most, style_bytes: 12_800, signed_in: true },
  {
    name: 'analytics',
    path: '/dashboard/analytics',
    ...most,
    ...chart,
    signed_in: true,
  },
  { name: 'new project', path: '/dashboard/projects/new', ...most, style_bytes: 12_800, signed_in: true },
  { name: 'sign-in', path: '/auth/sign-in', ...most },
  // a picture for each article
  { name: 'news', path: '/news', ...prerendered, requests: 32 },
  { name: 'article', path: '/news/article/how-search-works', ...prerendered },
  { name: 'changelog of the site', path: '/news/changelog', ...prerendered },
  { name: 'legal', path: '/legal/privacy', ...prerendered },
  { name: 'handbook', path: '/docs/operators/configuration', ...prerendered },
  { name: 'app', path: '/app', ...prerendered },
  { name: 'languages', path: '/settings/language', ...most },
  { name: 'frog', path: '/frog', ...prerendered },
  { name: 'plus', path: '/plus', ...prerendered },
  // what people pay and earn
  { name: 'billing', path: '/settings/billing', ...most, signed_in: true },
  { name: 'payments', path: '/settings/billing/charges', ...most, signed_in: true },
  { name: 'buying plus', path: '/settings/billing/plus', ...most, signed_in: true },
  {
    name: 'revenue',
    path: '/dashboard/revenue',
    ...most,
    ...chart,
    signed_in: true,
  },
  {
    name: 'withdraw',
    path: '/dashboard/revenue/withdraw?country=US&method=paypal:paypal',
    ...most,
    style_bytes: 12_500,
    signed_in: true,
  },
  { name: 'transfers', path: '/dashboard/revenue/transfers', ...most, style_bytes: 12_500, signed_in: true },
  { name: 'tax form', path: '/dashboard/revenue/tax', ...most, style_bytes: 12_500, signed_in: true },
  // the frame of administration, lists of payments, a table, and figures
  ...Object.entries({
    ledger: '/admin/billing',
    'monthly report': '/admin/billing/report',
    'payments of an account': `/admin/billing/${demoId('user player')}`,
  }).map(([name, path]) => ({
    ...{ name, path, ...most },
    style_bytes: 14_150,
    signed_in: true as const,
    account: 0,
  })),
];

const only = process.env.BENCH_PAGES?.split(',');
/** Those of the pages named in BENCH_PAGES; all by default. */
export const budgets = all.filter(({ name }) => !only || only.includes(name));
