import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { expect, type Page, type Response, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { addHistory, history_days } from './analytics-history.ts';
import { axeFinds } from './axe.ts';
import { inLanguage } from './pages.ts';
import { setStatus } from './project-fixture.ts';
import { addToTeam, draftOf, finishDraft, type Person, person, type TeamProject } from './team-fixture.ts';

/** A browser without a screen is no person. */
const person_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** What is counted of a project, as its creator sees it: chosen, broken down, saved, and not shown to others. */
let owner: Person;
let project: TeamProject;
let version: { id: string; files: Array<{ url: string }> };

test.beforeAll(async ({ browser }) => {
  owner = await person(browser);
  project = await draftOf(owner, 'counted');
  // a second one, so that there is something to choose
  await draftOf(owner, 'other');
  await finishDraft(owner, project);
  await setStatus(project.slug, 'approved');
  [version] = await (await owner.page.request.get(`/v2/project/${project.id}/version`)).json();
  await addHistory(project.id, version.id);
});

const card = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Metric' }).getByRole('button', { name });
const row = (page: Page, name: string | RegExp) =>
  page.locator('.breakdown').getByRole('row').filter({ hasText: name });
const isWithin = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

test('members without the right find no entry, those with it do', async ({ browser }) => {
  const [without, reader] = await Promise.all([person(browser), person(browser)]);
  await addToTeam(owner, project.team, without, { permissions: 4 });
  await addToTeam(owner, project.team, reader, { permissions: 256 });
  for (const [{ page }, may] of [
    [without, false],
    [reader, true],
  ] as const) {
    await page.goto(project.path);
    await expect(page.locator('html[data-viewer-known]')).toBeAttached();
    await page.locator('summary[aria-label="More"], summary[title="More"]').first().click();
    const entry = page.locator('.menu a', { hasText: 'Analytics' });
    if (!may) {
      await expect(entry).toBeHidden();
      await page.goto('/dashboard/analytics');
      await expect(page.getByRole('heading', { name: 'No projects to analyze' })).toBeVisible();
      continue;
    }
    await entry.click();
    await expect(card(page, 'Downloads')).toContainText(String(history_days * 20));
    // three clicks from the page of the project: which release, which loader, which country
    for (const [chip, name, share] of [
      ['Version', '1.0.0', '100%'],
      ['Loader', 'Fabric', '100%'],
      ['Country', 'United States', '55%'],
    ] as const) {
      await page.locator('.breakdown').getByRole('button', { name: chip, exact: true }).click();
      await expect(row(page, name)).toContainText(share);
    }
  }
});

test('downloads and views are counted and shown, whatever is chosen stands in the address', async ({
  browser,
  baseURL,
}) => {
  const { page } = owner;
  // somebody downloads the file, and looks at the page
  const visitor = await (await browser.newContext({ userAgent: person_agent })).newPage();
  expect((await visitor.request.get(version.files[0]!.url)).status()).toBe(200);
  const view = { url: `${baseURL}/mod/${project.slug}` };
  expect((await visitor.request.post('/analytics/view', { data: view })).ok()).toBe(true);

  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(card(page, 'Downloads')).toContainText(String(history_days * 20));
  await expect(card(page, 'Views')).toContainText(String(history_days * 40));
  await page.locator('.chart .u-over').hover();
  await expect(page.locator('.chart .point')).toContainText('Made counted');
  expect(await axeFinds(page)).toEqual([]);

  // which country: one click
  await page.getByRole('button', { name: 'Country' }).click();
  await expect(row(page, 'United States')).toContainText('220');
  await expect(row(page, 'United States')).toContainText('55%');
  await expect(row(page, 'Germany')).toContainText('30%');
  // which loader, which release
  await page.getByRole('button', { name: 'Loader' }).click();
  await expect(row(page, 'Fabric')).toContainText('100%');
  await page.getByRole('button', { name: 'Version', exact: true }).click();
  await expect(row(page, '1.0.0').getByRole('link')).toHaveAttribute('href', /\/version\//);
  await page.goBack();
  await expect(row(page, 'Fabric')).toBeVisible();
  await page.goForward();

  // another period, as a table
  await page.getByText('Previous 30 days').first().click();
  await expect(page.getByRole('button', { name: 'Previous 30 days' })).toBeFocused();
  await page.getByRole('button', { name: 'Previous 7 days' }).click();
  await expect(page).toHaveURL(/range=7-days/);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('columnheader', { name: /Made counted/ })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: /Made counted/ })).toBeVisible();
  await expect(row(page, '1.0.0')).toBeVisible();

  // what was done a moment ago
  await page.goto('/dashboard/analytics?range=30-minutes');
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        await expect(page.locator('.analytics[aria-busy=false]')).toBeVisible();
        const shown = ['Downloads', 'Views'].map((name) => card(page, name).locator('b').textContent());
        return await Promise.all(shown);
      },
      { timeout: 40_000 },
    )
    .toEqual(['1', '1']);
});

test('a file has the sums of the API, and the settings of the project show the same', async () => {
  const { page } = owner;
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const start = new Date(midnight - 29 * 86_400_000).toISOString();
  // what is counted between the two is seen the next time
  await expect(async () => {
    await page.goto(`${project.path}/settings/analytics?by=country`);
    await expect(row(page, 'Germany')).toContainText('120');
    const answer = await page.request.post('/v3/analytics', {
      headers: { authorization: owner.token },
      data: {
        time_range: { start, end: new Date().toISOString(), resolution: { minutes: 1440 } },
        project_ids: [project.id],
        return_metrics: { project_views: { bucket_by: ['project_id'] } },
      },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    const { metrics } = (await answer.json()) as { metrics: Array<Array<{ views: number }>> };
    const sums = metrics.map((entries) => entries.reduce((sum, { views }) => sum + views, 0));
    await card(page, 'Views').click();
    await expect(row(page, 'Germany')).toContainText('800');
    const saved = page.waitForEvent('download');
    await page.getByText('Export').click();
    await page.getByRole('button', { name: 'Chart as CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^views-30-days-[\d-]+\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[1]))).toEqual(sums);
    expect(sums.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(history_days * 40);
  }).toPass({ timeout: 90_000 });
});

test('it works on a phone, from right to left, offline, and weighs little', async () => {
  const { page } = owner;
  const scripts = new Map<string, Promise<Buffer>>();
  const weigh = async () =>
    (await Promise.all(scripts.values())).reduce((sum, code) => sum + brotliCompressSync(code).length, 0);
  const keep = (response: Response) => {
    if (response.headers()['content-type']?.startsWith('text/javascript'))
      scripts.set(response.url(), response.body());
  };
  page.on('response', keep);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  const frame = await weigh();
  await page.goto('/dashboard/analytics?form=table', { waitUntil: 'networkidle' });
  await expect(page.getByRole('columnheader', { name: /Made counted/ })).toBeVisible();
  const before_chart = await weigh();
  await page.getByRole('button', { name: 'Lines', exact: true }).click();
  await expect(page.locator('.chart canvas')).toBeVisible();
  const with_chart = await weigh();
  const react = 57_000;
  page.off('response', keep);
  expect(before_chart - frame - react).toBeLessThanOrEqual(15_200);
  expect(with_chart - before_chart).toBeLessThanOrEqual(45_000);

  await page.setViewportSize({ width: 390, height: 800 });
  await isWithin(page);
  await page.goto(inLanguage('/dashboard/analytics?by=country', 'ar-SA'));
  await expect(row(page, 'ألمانيا')).toBeVisible();
  await isWithin(page);
  await page.goto('/dashboard/analytics');
  // with the download of the test before, once it is summed up
  await expect(card(page, 'Downloads')).toContainText(/Downloads\s*40[01]/);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You’re offline' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('alert').filter({ hasText: 'You’re offline' })).toBeHidden();
});

test('a long menu of periods opens at the one that is shown', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/dashboard/analytics?range=all');
  await page.locator('.ranges summary').click();
  const current = page.locator('.ranges').getByRole('button', { name: 'All time' });
  await expect(current).toBeFocused();
  await expect(current).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('ArrowUp');
  await expect(current).not.toBeFocused();
});

test('a project shows its downloads of 30 days to everybody once it wants to', async ({ page: visitor }) => {
  const { page } = owner;
  const line = visitor.locator('.head .recent');
  const box = page.getByRole('checkbox', { name: 'Show a chart of the last 30 days' });
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('.toast, .saved').getByText('Project updated')).toBeVisible();
  };
  await visitor.goto(project.path);
  await expect(line).toHaveCount(0);

  await page.goto(`${project.path}/settings/analytics`);
  await box.check();
  await save();
  await expect(box).toBeChecked();
  for (const path of [visitor.url(), `${visitor.url()}/versions`]) {
    await visitor.goto(path);
    await expect(line.locator('svg')).toBeVisible();
    await expect(line).toHaveText(`${history_days * 20} downloads in the last 30 days`);
  }
  expect(await axeFinds(visitor)).toEqual([]);
  await visitor.setViewportSize({ width: 390, height: 800 });
  await isWithin(visitor);

  await page.goto(`${project.path}/settings/analytics`);
  await box.uncheck();
  await save();
  await visitor.reload();
  await expect(line).toHaveCount(0);
});

test('an organization sees its projects together, with what administrators announce', async ({
  page: admin,
}) => {
  const { page, token } = owner;
  const headers = { authorization: token };
  const second = await draftOf(owner, 'grouped');
  await finishDraft(owner, second);
  const [other] = await (await page.request.get(`/v2/project/${second.id}/version`, { headers })).json();
  await addHistory(second.id, other.id);
  const slug = `rows-${Date.now().toString(36)}`;
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v3/organization${path}`, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await post('', { slug, name: `Rows ${slug}`, description: 'They count together.' });
  for (const { id } of [project, second]) await post(`/${slug}/projects`, { project_id: id });

  await signInAs(admin, demoAccounts[0]!);
  await admin.goto('/dashboard');
  const send = async (method: string, path: string, json?: object) =>
    await admin.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`/_internal/analytics-event${path}`, { method, headers, body });
        return { status: answer.status, id: answer.status === 200 ? (await answer.json()).id : '' };
      },
      [method, path, json ? JSON.stringify(json) : null] as const,
    );
  const title = `Downloads are counted anew ${slug}`;
  const starts = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const about = { title, announcement_url: 'https://example.org/counting', for_metric_kind: ['downloads'] };
  const announced = await send('POST', '', { ...about, starts });
  expect(announced.status).toBe(200);
  try {
    await page.goto(`/organization/${slug}/settings/analytics`);
    await expect(card(page, 'Views')).toContainText(/Views\s*1,60[01]/);
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    for (const { slug: name } of [project, second]) await expect(row(page, `Made ${name}`)).toBeVisible();
    const events = page.getByRole('region', { name: 'Releases and status changes' }).getByRole('listitem');
    const event = events.filter({ hasText: title });
    await expect(event.getByRole('link')).toHaveAttribute('href', 'https://example.org/counting');
    await expect(event.locator('time')).toHaveAttribute('datetime', starts);
    await expect(events.filter({ hasText: '1.0.0' })).toHaveCount(2);
    expect(await axeFinds(page)).toEqual([]);
    await card(page, 'Views').click();
    await expect(events.filter({ hasText: '1.0.0' })).toHaveCount(2);
    await expect(event).toHaveCount(0);
  } finally {
    expect((await send('DELETE', `/${announced.id}`)).status).toBe(204);
  }
});
