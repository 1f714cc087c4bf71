import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

const box = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Search' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
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
  await expect(said(page)).toHaveText('1 suggestion');
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

const phone = { width: 390, height: 844 };
/** The box of the home page. */
const hero = (page: Page) => page.getByRole('combobox', { name: 'Search projects' });

test.describe('the box of the home page', () => {
  test.use({ viewport: phone });

  test('finds shaders by their name, with Enter alone', async ({ page }) => {
    await page.goto('/');
    await hero(page).pressSequentially('shader');
    await expect(options(page).first()).toHaveText(/^\s*Shaders\s*Browse all\s*\d+\s*$/);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/shaders');
    await expect(page.getByRole('heading', { name: 'Shaders', level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/');
  });

  test('shows suggestions where there is room for them, and Escape gives back where the page was', async ({
    page,
  }) => {
    await page.goto('/');
    const { y, height } = (await hero(page).boundingBox())!;
    const scrolled = () => page.evaluate(() => scrollY);
    // room for some of them, which scroll in the window; and for too few, so that the page scrolls
    for (const [room, moves] of [
      [200, false],
      [80, true],
    ] as const) {
      await page.setViewportSize({ width: phone.width, height: Math.ceil(y + height) + room });
      await hero(page).fill('light');
      await expect(options(page).nth(3)).toBeVisible();
      expect((await scrolled()) > 0, `with ${room} pixels`).toBe(moves);
      await page.keyboard.press('Escape');
      await expect(options(page).first()).toBeHidden();
      expect(await scrolled()).toBe(0);
      await hero(page).fill('');
    }
  });

  test('leads to the type that has hits', async ({ page, request }) => {
    const shader = 'ray-and-stone';
    const { title } = (await (await request.get(`/v2/project/${shader}`)).json()) as { title: string };
    await page.goto('/');
    await hero(page).fill(title);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/shaders?${new URLSearchParams({ q: title })}`);
    await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible();
  });

  test('offers categories, and its message covers no link at any width', async ({ page }) => {
    await page.goto('/');
    await hero(page).fill('optimiz');
    const category = options(page).filter({ hasText: 'Category in Mods' });
    await expect(category).toHaveText(/^\s*Optimization/);
    await hero(page).fill('qqqqqzzzzz');
    await expect(page.getByText('qqqqqzzzzz')).toBeVisible();
    const shaders = page.getByRole('list', { name: 'Project types' }).getByRole('link', { name: 'Shaders' });
    for (const viewport of [phone, { width: 1280, height: 900 }]) {
      await page.setViewportSize(viewport);
      await shaders.click({ trial: true }); // fails when something lies over it
    }
    await hero(page).fill('optimiz');
    await category.click();
    await expect(page).toHaveURL('/mods?f=optimization');
    await expect(page.getByRole('link', { name: 'Remove Optimization' })).toBeAttached();
  });
});

test('names of types and categories are those of the page language', async ({ page }) => {
  await page.goto('/?hl=ar-SA');
  await page.getByRole('combobox').first().pressSequentially('مظلل');
  await expect(page.getByRole('option').first()).toContainText('مظللات');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/shaders?hl=ar-SA');
});

test('queries in other scripts, of one letter, of stop words and of 2,000 letters have an answer', async ({
  page,
}) => {
  const queries = ['灯籠', 'ж', 'the of and', `${'lantern '.repeat(249)}lantern`, '☃'.repeat(2000), '<b>&"'];
  await page.goto('/mod/lanternroot');
  for (const query of queries) {
    const answered = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('q') === query);
    await box(page).fill(query);
    expect((await answered).ok(), query.slice(0, 20)).toBe(true);
    await expect(said(page)).not.toBeEmpty();
    await box(page).fill('');
    await expect(said(page)).toBeEmpty();
  }
  const longest = '☃'.repeat(2000); // 18 kB in the address
  await box(page).fill(longest);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/mods\?q=/);
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toHaveValue(longest);
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
  await expect(page.getByText('No projects named “qqqqqzzzzz”.')).toBeVisible();
  await expect(said(page)).toHaveText('No suggestions');

  await page.route('**/_internal/suggest*', (route) => route.fulfill({ status: 500, json: {} }));
  await box(page).fill('nightjar');
  await expect(said(page)).toHaveText('Suggestions couldn’t be loaded. Press Enter to search.');
  await expect(options(page)).toHaveText([all('nightjar')]);
  await page.unroute('**/_internal/suggest*');
  await page.context().setOffline(true);
  await box(page).fill('nightja');
  await expect(options(page)).toHaveText([all('nightja')]);
  await expect(said(page)).toBeEmpty(); // the banner of the page says it
  await page.context().setOffline(false);
  await expect(options(page)).toHaveText([/^Nightjar/, all('nightja')]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mods?q=nightja');
});

test('a slow request shows a loading state, and is aborted by further typing', async ({ page }) => {
  await page.route('**/_internal/suggest?q=stone&*', () => {}); // never answered
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('?q=stone&'));
  await type(page, 'stone');
  await expect(page.getByText('Searching…', { exact: true })).toBeVisible();
  await box(page).fill('lanternr');
  await givenUp;
  await expect(options(page)).toHaveText([/^Lanternroot/, all('lanternr')]);
  await expect(page.getByText('Searching…', { exact: true })).toBeHidden();
});

test('the open list is accessible, and uses the language of the page', async ({ page }) => {
  await type(page, 'lanternr');
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toBeVisible();
  expect(await axeFinds(page, { within: 'header form' })).toEqual([]);
  await page.goto('/mod/lanternroot?hl=en-XA');
  await page.getByRole('banner').getByRole('combobox').fill('nightjar');
  await expect(page.getByRole('option').first()).toHaveAttribute('href', '/mod/nightjar?hl=en-XA');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mods?q=nightjar&hl=en-XA');
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
  await page.getByRole('button', { name: 'Close search' }).click();
  await expect(box(page)).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await options(page).first().click();
  await expect(page).toHaveURL('/mod/lanternroot');
});
