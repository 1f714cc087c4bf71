import { expect, type Page, test } from 'playwright/test';
import { axeInEveryTheme } from './axe.ts';

const box = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Search' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Projects' }).getByRole('option');
const said = (page: Page) => page.getByRole('banner').getByRole('status');
const all = (text: string) => `All results for “${text}”`;

/** Opens a project page with the search box ready, and types `text` letter by letter. */
async function type(page: Page, text: string): Promise<void> {
  await page.goto('/shader/ray-and-stone');
  await box(page).pressSequentially(text);
}

test('half a name finds its project with arrow keys and Enter alone', async ({ page }) => {
  await type(page, 'lanternr');
  await expect(options(page)).toHaveText([/^Lanternroot\s*Mod by mirelle$/, all('lanternr')]);
  await expect(page.locator('mark')).toHaveText('Lanternr');
  await expect(said(page)).toHaveText('1 project');
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');

  const chosen = page.getByRole('option', { selected: true });
  await expect(chosen).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(chosen).toHaveText(all('lanternr'));
  await page.keyboard.press('Home');
  await expect(chosen).toHaveText(/^Lanternroot/);
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await chosen.getAttribute('id'))!);
  await page.keyboard.press('End');
  await expect(chosen).toHaveText(all('lanternr'));
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toHaveCount(0);
  await expect(box(page)).not.toHaveAttribute('aria-activedescendant');
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toHaveText(/^Lanternroot/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mod/lanternroot');
});

test('Enter without an active option searches, and so does the last row', async ({ page }) => {
  await type(page, 'stone');
  await expect(options(page).last()).toHaveText(all('stone'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/shaders?q=stone'); // the type of the current page
  await type(page, 'lanternr');
  await expect(options(page)).toHaveCount(2);
  await options(page).last().click();
  await expect(page).toHaveURL('/mods?q=lanternr'); // no shader matches
});

test('Escape closes, then clears; arrow keys open again, Tab leaves', async ({ page }) => {
  await type(page, 'lanternr');
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(options(page).first()).toBeHidden();
  await expect(box(page)).toHaveValue('lanternr');
  await expect(box(page)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowDown');
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(options(page).first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Switch between light and dark' })).toBeFocused();
  await box(page).focus();
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveValue('');
});

test('the middle button opens a project in a new tab, and the list stays open', async ({ page, context }) => {
  await type(page, 'lanternr');
  const opened = context.waitForEvent('page');
  await options(page).first().click({ button: 'middle' });
  await expect(await opened).toHaveURL('/mod/lanternroot');
  await expect(options(page).first()).toBeVisible();
});

test('composed text is searched when the composition ends', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/_internal/suggest') asked.push(searchParams.get('q')!);
  });
  await type(page, 'x');
  await expect(said(page)).not.toBeEmpty();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const session = await page.context().newCDPSession(page);
  for (const text of ['l', 'la', 'lanternr'])
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await session.send('Input.insertText', { text: 'lanternr' });
  await expect(options(page)).toHaveCount(2);
  expect(asked).toEqual(['x', 'lanternr']);
});

test('no results and a failed request have messages, and the form still works', async ({ page }) => {
  await type(page, 'qqqqqzzzzz');
  await expect(page.getByText('Nothing is called “qqqqqzzzzz”.')).toBeVisible();
  await expect(said(page)).toHaveText('No projects');

  await page.route('**/_internal/suggest*', (route) => route.fulfill({ status: 500, json: {} }));
  await box(page).fill('nightjar');
  await expect(said(page)).toHaveText('The suggestions did not come. Enter still searches.');
  await expect(options(page)).toHaveText([all('nightjar')]);
  await page.unroute('**/_internal/suggest*');
  await page.context().setOffline(true);
  await box(page).fill('nightja');
  await expect(said(page)).toHaveText('No connection. The suggestions come when it is back.');
  await page.context().setOffline(false);
  await expect(options(page)).toHaveText([/^Nightjar/, all('nightja')]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mods?q=nightja');
});

test('a slow request shows a loading state, and is aborted by further typing', async ({ page }) => {
  await page.route('**/_internal/suggest?q=stone', () => {}); // never answered
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('?q=stone'));
  await type(page, 'stone');
  await expect(page.getByText('Looking', { exact: true })).toBeVisible();
  await box(page).fill('lanternr');
  await givenUp;
  await expect(options(page)).toHaveText([/^Lanternroot/, all('lanternr')]);
  await expect(page.getByText('Looking', { exact: true })).toBeHidden();
});

test('the open list is accessible in every theme, and uses the language of the page', async ({ page }) => {
  await type(page, 'lanternr');
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toBeVisible();
  expect(await axeInEveryTheme(page, 'header form')).toEqual([]);
  await page.goto('/mod/lanternroot?hl=en-XA');
  await page.getByRole('banner').getByRole('combobox').fill('nightjar');
  await expect(page.getByRole('option').first()).toHaveAttribute('href', '/mod/nightjar?hl=en-XA');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mods?hl=en-XA&q=nightjar');
});

test('on a phone the box covers the top bar while in use', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/shader/ray-and-stone');
  const opener = page.getByRole('banner').getByRole('link', { name: 'Search' });
  await opener.click();
  await expect(box(page)).toBeFocused();
  await box(page).fill('lanternr');
  await expect(options(page)).toHaveCount(2);
  const { x, width } = (await page.getByRole('listbox').boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Close the search' }).click();
  await expect(box(page)).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await options(page).first().click();
  await expect(page).toHaveURL('/mod/lanternroot');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the box is a plain form', async ({ page }) => {
    await page.goto('/mod/lanternroot');
    await page.getByRole('searchbox', { name: 'Search' }).fill('nightjar');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/mods?q=nightjar');
    await expect(page.getByRole('link', { name: 'Nightjar' })).toBeVisible();
  });
});
