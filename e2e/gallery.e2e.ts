import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { inLanguage } from './pages.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

let made: ProjectFixture;
let gallery: string;
test.beforeAll(async ({ request }) => {
  made = await projectFixture(request, 'pictured', { pictures: 8 });
  gallery = `${made.path}/gallery`;
});

const picture = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const large = (page: Page) => page.getByRole('dialog');
const counter = (page: Page) => large(page).getByRole('status');
const stage = (page: Page) => page.locator('[data-stage]');
const loaded = (page: Page) => expect(stage(page).locator('img')).toHaveAttribute('data-state', 'loaded');

test('the gallery works by keyboard alone, wraps around, and restores the focus', async ({ page }) => {
  await page.goto(made.path);
  await page.getByRole('link', { name: /^Gallery/ }).click();
  await expect(page).toHaveURL(gallery);
  await expect(page.getByRole('link', { name: /^Gallery/ })).toHaveAttribute('aria-current', 'page');
  await picture(page, 'View 1').focus();
  await page.keyboard.press('Enter');
  await expect(counter(page)).toContainText('1 of 8');
  await expect(page).toHaveURL(`${gallery}#picture-1`);
  for (const [key, said] of [
    ['ArrowRight', '2 of 8'],
    ['ArrowLeft', '1 of 8'],
    ['ArrowLeft', '8 of 8'],
    ['ArrowRight', '1 of 8'],
    ['End', '8 of 8'],
    ['Home', '1 of 8'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(counter(page)).toContainText(said);
  }
  await large(page).getByRole('button', { name: 'Next image' }).click();
  await expect(large(page).getByRole('heading', { name: 'View 2' })).toBeVisible();
  await expect(large(page).getByText('Lantern roots brighten')).toBeVisible();
  await expect(page).toHaveURL(`${gallery}#picture-2`);
  await loaded(page);
  expect(await axeFinds(page, { within: '[data-lightbox]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(large(page)).toBeHidden();
  await expect(page).toHaveURL(gallery);
  await expect(picture(page, 'View 2')).toBeFocused();
  await expect(picture(page, 'View 2').locator('img')).toHaveAttribute(
    'srcset',
    /_350\.webp 350w.*_1050\.webp 1050w$/,
  );
});

test('an image has an address; Back and a click on the backdrop close it', async ({ page }) => {
  await page.goto(`${gallery}#picture-3`);
  await expect(counter(page)).toContainText('3 of 8');
  await large(page).getByRole('button', { name: 'Close' }).click();
  await expect(large(page)).toBeHidden();
  await expect(page).toHaveURL(gallery);

  await picture(page, 'Image 4').click();
  await expect(counter(page)).toContainText('4 of 8');
  await large(page).getByRole('link', { name: 'Image 6: View 6' }).click();
  await expect(counter(page)).toContainText('6 of 8');
  await page.goBack();
  await expect(large(page)).toBeHidden();
  await expect(page).toHaveURL(gallery);
  await expect(picture(page, 'View 6')).toBeFocused();
  await page.goForward();
  await expect(counter(page)).toContainText('6 of 8');

  await loaded(page);
  await stage(page).click({ position: { x: 2, y: 2 } });
  await expect(large(page)).toBeHidden();
  await expect(page).toHaveURL(gallery);
  await page.goto(`${gallery}#picture-99`);
  await expect(picture(page, 'View 1')).toBeVisible();
  await expect(large(page)).toBeHidden();
});

test('in right-to-left languages the arrow keys are mirrored', async ({ page }) => {
  await page.goto(`${inLanguage(gallery, 'ar-XB')}#picture-1`);
  await expect(large(page)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/#picture-2$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/#picture-8$/);
});

test('an image is shown at its natural size, panned, and fitted again with the next one', async ({
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goto(`${gallery}#picture-2`);
  await loaded(page);
  await expect(stage(page).locator('img')).toHaveCSS('object-fit', 'scale-down'); // never enlarged
  const zoom = large(page).getByRole('button', { name: 'Actual size' });
  await page.keyboard.press('z');
  await expect(zoom).toHaveAttribute('aria-pressed', 'true');
  expect(
    await stage(page)
      .locator('img')
      .evaluate((image) => image.clientWidth),
  ).toBe(1600);
  const scrolled = () => stage(page).evaluate(({ scrollLeft }) => scrollLeft);
  const before = await scrolled();
  const { x, y, width, height } = (await stage(page).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 120, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await scrolled()).toBe(before + 120);
  await expect(zoom).toHaveAttribute('aria-pressed', 'true'); // dragging is not a click
  await page.keyboard.press('ArrowLeft');
  await expect.poll(scrolled).toBe(before + 40);
  const original = large(page).getByRole('link', { name: 'Open the original in a new tab' });
  await expect(original).toHaveAttribute('href', /\.png$/);
  await page.keyboard.press('End');
  await expect(counter(page)).toContainText('8 of 8');
  await expect(zoom).toHaveAttribute('aria-pressed', 'false');
  await loaded(page);
  await stage(page).locator('img').click();
  await expect(zoom).toHaveAttribute('aria-pressed', 'true');
});

test('an image that fails to load shows an error and is tried again', async ({ page }) => {
  const originals = /\/data\/[^?]*\.png$/;
  await page.route(originals, (route) => route.abort());
  await page.goto(`${gallery}#picture-1`);
  await expect(large(page).getByRole('alert')).toContainText('This image couldn’t be loaded');
  await page.unroute(originals);
  await large(page).getByRole('button', { name: 'Try again' }).click();
  await loaded(page);
  await expect(large(page).getByRole('alert')).toBeHidden();
});

test('the lightbox is loaded with the first image; without it the images are links', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(gallery, { waitUntil: 'networkidle' });
  expect(scripts.filter((url) => /lightbox/.test(url) && url.endsWith('.js'))).toEqual([]);
  await page.route(/lightbox.*\.js$/, (route) => route.abort());
  await picture(page, 'View 5').click();
  await expect(page).toHaveURL(/\/data\/.*\.png$/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });

  test('a swipe shows the next image and back', async ({ page }) => {
    await page.goto(`${gallery}#picture-8`);
    await loaded(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await swipe(page, 240, 80);
    await expect(counter(page)).toContainText('1 of 8');
    await swipe(page, 80, 240);
    await expect(counter(page)).toContainText('8 of 8');
    await swipe(page, 160, 180); // too short to count as a swipe
    // no tap: the browser takes one right after a swipe for its end
    await large(page).getByRole('button', { name: 'Previous image' }).click();
    await expect(counter(page)).toContainText('7 of 8');
  });
});

/** Swipes one finger horizontally across the middle of the image. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const { y, height } = (await stage(page).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: y + height / 2 }],
    });
  await touch('touchStart', from);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + (to - from) * part);
  await touch('touchEnd');
  await session.detach();
}
