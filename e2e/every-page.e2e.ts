import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'playwright/test';
import { inLanguage, places, themes } from './places.ts';

for (const { path, heading } of places) {
  test(`${path} is accessible in every theme`, async ({ page }) => {
    test.slow(); // axe reads the colours of everything, four times
    const said: string[] = [];
    page.on('console', (message) => {
      const expected = /status of 404/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !expected) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeAttached();
    for (const theme of themes) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
      }, theme);
      await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
      const axe = new AxeBuilder({ page });
      if (theme !== themes[0]) axe.withRules('color-contrast'); // themes change nothing but colours
      const { violations } = await axe.analyze();
      expect(violations.map(({ id, nodes }) => [theme, id, ...nodes.map(({ html }) => html)])).toEqual([]);
    }
    expect(said).toEqual([]);
  });

  test(`${path} speaks every language and fits 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await page.goto(path);
    expect(await width(), 'English').toBe(320);

    await page.goto(inLanguage(path, 'en-XA'));
    await expect(page.getByRole('main')).toBeVisible();
    expect(await page.evaluate(untranslated), 'texts outside the catalogue').toEqual([]);
    expect(await width(), 'long words').toBe(320);

    await page.goto(inLanguage(path, 'ar-XB'));
    expect(await width(), 'right to left').toBe(320);
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
    const brand = await page.getByText('Cairn', { exact: true }).first().boundingBox();
    expect(brand!.x + brand!.width / 2, 'the logo stands at the right').toBeGreaterThan(160);
  });
}

test('links keep the language that the address asks for', async ({ page }) => {
  await page.goto(inLanguage('/', 'en-XA'));
  const links = await page
    .getByRole('link')
    .evaluateAll((all) =>
      all
        .map((link) => (link as HTMLAnchorElement).href)
        .filter((href) => !new URL(href).pathname.startsWith('/v2/') && !href.includes('#')),
    );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((href) => !href.includes('hl=en-XA'))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});

/** Words of ours on the page that are not accented; what people wrote stands in bdi, code, time or dir=auto. */
function untranslated(): string[] {
  const foreign = 'bdi, code, time, script, style, noscript, template, [dir=auto], [translate=no]';
  const plain = (text: string) => /[a-z]{2}/.test(text);
  const found: string[] = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent ?? '';
    if (plain(text) && !node.parentElement?.closest(foreign)) found.push(text.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    if (element.closest(foreign)) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      const text = element.getAttribute(name) ?? '';
      if (plain(text) && !/[à-ž]/.test(text)) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
