import { type Browser, expect, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';

/**
 * The ads of `e2e/ads`: visitors who are not signed in see them without movement, others get the same bytes
 * (`site/platform/ads/ads.page.test.ts`) without them and without a hole.
 */
const wide = { width: 1280, height: 900 };
const narrow = { width: 390, height: 844 };
const places = ['/mods', '/mod/lanternroot'] as const;
const creator = demoAccounts[2]!;
const place = (page: Page) => page.getByRole('main').locator('[data-ad]');
const note = (page: Page) => page.getByRole('note', { name: 'Ads are hidden here' });

/**
 * Gives what moved from the first moment on. The page is painted when all of it is there: what a slow browser paints of half
 * a page moves with every element that comes, ads or not.
 */
async function watchMovement(page: Page): Promise<() => Promise<string[]>> {
  await page.route(
    ({ pathname }) => places.some((path) => path === pathname),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('<head>', '<head><link rel="expect" href="#whole" blocking="render">')
        .replace('</body>', '<i id="whole" hidden></i></body>');
      await route.fulfill({ response, body });
    },
  );
  await page.addInitScript(() => {
    const moved: string[] = [];
    Reflect.set(globalThis, 'moved', moved);
    type Shift = PerformanceEntry & { value: number; sources: Array<{ node: Node | null }> };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[])
        moved.push(
          ...sources.map(({ node }) => `${value}: ${(node as Element)?.outerHTML ?? node?.textContent}`),
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    // two frames later, everything that was painted is known
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return await page.evaluate(() => Reflect.get(globalThis, 'moved') as string[]);
  };
}

/** The request that counts an ad. */
const counted = (page: Page) =>
  page.waitForRequest(
    (request) => request.url().endsWith('/_internal/viewer') && request.postDataJSON().ad !== undefined,
  );

/** Opens a page and waits until it knows who looks at it. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('html[data-viewer-known]').waitFor();
}

const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!.y;

for (const size of [wide, narrow])
  for (const path of places)
    test(`a visitor sees an ad on ${path} at ${size.width} pixels, and nothing moves`, async ({ page }) => {
      await page.setViewportSize(size);
      const movement = await watchMovement(page);
      const asked = counted(page);
      await open(page, path);
      await expect(place(page)).toBeVisible();
      await expect(place(page).getByRole('heading', { name: 'Ad', exact: true })).toBeVisible();
      await expect(place(page).getByRole('link')).toHaveAttribute('rel', /sponsored/);
      await place(page).scrollIntoViewIfNeeded();
      for (const picture of await place(page).getByRole('img').all())
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
      expect(await movement()).toEqual([]);
      expect((await asked).postDataJSON().ad).toBe(await place(page).getAttribute('data-ad'));
      await expect(note(page)).toBeHidden();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    });

test('nothing moves when the fonts come late', async ({ page }) => {
  await page.setViewportSize(wide);
  await page.route('**/*.woff2', async (route) => {
    await page.locator('html[data-viewer-known]').waitFor();
    await route.continue();
  });
  const movement = await watchMovement(page);
  for (const path of places) {
    await open(page, path);
    await page.evaluate(async () => await document.fonts.ready);
    expect(await movement(), path).toEqual([]);
  }
});

test('whoever is signed in sees the page without the ad, and without a hole', async ({ page }) => {
  await signInAs(page, creator);
  await page.setViewportSize(wide);
  const movement = await watchMovement(page);
  for (const path of places) {
    await open(page, path);
    await expect(place(page)).toBeHidden();
    // the second time the browser knows it before the first paint
    await open(page, path);
    expect(await movement(), path).toEqual([]);
    await expect(place(page)).toBeHidden();
  }
  // facts and filters begin where their column does
  const first = await page
    .locator('.facts > section:not(.ad-slot)')
    .first()
    .evaluate((one) => ({
      ...{ gap: one.getBoundingClientRect().top - one.parentElement!.getBoundingClientRect().top },
      padding: getComputedStyle(one).paddingBlockStart,
    }));
  expect(first).toEqual({ gap: 0, padding: '0px' });
  await open(page, '/mods');
  expect(await topOf(page, '.filters')).toBe(await topOf(page, '.beside'));
  expect(await topOf(page, '.filters')).toBeLessThan(await topOf(page, '#results'));
  await page.setViewportSize(narrow);
  const end = async (selector: string) => {
    const box = (await page.locator(selector).first().boundingBox())!;
    return box.y + box.height;
  };
  const padding = await page
    .locator('form.split')
    .evaluate((one) => parseFloat(getComputedStyle(one).paddingBlockEnd));
  expect(await end('form.split')).toBeCloseTo((await end('#results')) + padding, 0);
});

test('without scripts visitors see ads, and others none', async ({ browser, page: signed }) => {
  await signInAs(signed, creator);
  const cookies = await signed.context().cookies();
  for (const known of [false, true]) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    if (known) await context.addCookies(cookies);
    const page = await context.newPage();
    for (const path of places) {
      await page.goto(path);
      await expect(place(page)).toBeVisible({ visible: !known });
    }
    await context.close();
  }
});

/** A browser that hides ads, as blockers do. */
async function blocking(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.ad-slot { display: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
  return page;
}

test('a visitor who blocks ads reads one note about it, once', async ({ browser }) => {
  const page = await blocking(browser);
  const movement = await watchMovement(page);
  const counts: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/_internal/viewer')) counts.push(request.postDataJSON().ad);
  });
  await open(page, '/mod/lanternroot');
  await expect(note(page)).toBeVisible();
  expect(counts).toEqual([undefined]);
  expect(await movement()).toEqual([]);
  expect(await axeFinds(page)).toEqual([]);
  await note(page).getByRole('button', { name: 'Close' }).click();
  await expect(note(page)).toBeHidden();
  const [cookie] = await page.context().cookies();
  expect(decodeURIComponent(cookie!.value)).toBe('{"notUsingBlockers":true}');
  await open(page, '/mods');
  await expect(note(page)).toBeHidden();
  await page.close();

  const other = await blocking(browser);
  await open(other, '/mods');
  await expect(note(other)).toBeVisible();
  await other.goto('/legal/privacy'); // going on without an answer is one
  await open(other, '/mods');
  await expect(note(other)).toBeHidden();
  await other.close();

  const signed = await blocking(browser);
  await signInAs(signed, creator);
  await open(signed, '/mods');
  await expect(note(signed)).toBeHidden();
  await signed.close();
});
