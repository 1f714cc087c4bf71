import { expect, type Locator, type Page, test } from 'playwright/test';

const stones = (page: Page) => page.getByRole('list', { name: 'Stones' });
const order = async (list: Locator) =>
  (await list.getByRole('listitem').allInnerTexts()).map((text) => text.trim()).join(' ');
const handle = (list: Locator, name: string) =>
  list.getByRole('button', { name: `Move ${name}`, exact: true });

test('a list is put in order by the arrow keys, which say where the row went', async ({ page }) => {
  await page.goto('/dev/ui');
  const list = stones(page);
  await handle(list, 'Granite').focus();
  await page.keyboard.press('ArrowDown');
  expect(await order(list)).toBe('Basalt Granite Slate Flint');
  await expect(handle(list, 'Granite')).toBeFocused();
  await expect(page.locator('[name=order]')).toHaveValue('basalt granite slate flint');
  await page.keyboard.press('End');
  expect(await order(list)).toBe('Basalt Slate Flint Granite');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  expect(await order(list)).toBe('Granite Basalt Slate Flint');
  await list.getByRole('button', { name: 'Move Slate up' }).click();
  expect(await order(list)).toBe('Granite Slate Basalt Flint');
  await expect(list.getByRole('button', { name: 'Move Granite up' })).toBeDisabled();
});

for (const width of [390, 1280])
  test(`a list is put in order by dragging at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto('/dev/ui', { waitUntil: 'networkidle' });
    const list = stones(page);
    expect(loaded.filter((url) => /drag-rows/.test(url))).toEqual([]);
    await handle(list, 'Flint').scrollIntoViewIfNeeded();
    const arrived = page.waitForResponse(/drag-rows/);
    await handle(list, 'Flint').hover();
    await arrived;
    await page.mouse.down();
    const to = (await handle(list, 'Granite').boundingBox())!;
    // a hand that rests on its way: no tooltip of what is below covers the place to drop
    await page.mouse.move(to.x + to.width / 2, to.y + to.height * 2, { steps: 8 });
    await page.waitForTimeout(500);
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 4, { steps: 4 });
    // the row follows the pointer by a timer
    await expect.poll(() => order(list)).toMatch(/^Flint Granite /);
    await page.mouse.up();
    await expect.poll(() => order(list)).toBe('Flint Granite Basalt Slate');
    await expect(page.locator('[name=order]')).toHaveValue('flint granite basalt slate');
  });
