import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { draftOf } from './draft-fixture.ts';
import { tabTo } from './focus.ts';
import { address_text, typeAddress } from './typed-text.ts';

/** The description of a project: the editor by pointer and keyboard, preview, pictures, drafts. */
const editor = (page: Page) => page.getByRole('textbox', { name: 'Description' });
const open = async (page: Page, slug: string) => {
  await page.goto(`/mod/${slug}/settings/description`);
  await expect(page.locator('[data-editor][data-ready]')).toBeAttached();
};

test('a description is written, looked at and saved', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAs(page, demoAccounts[2]!);
  const slug = await draftOf(page, 'Written');
  await open(page, slug);
  await editor(page).fill('');
  await typeAddress(page);
  await expect(editor(page)).toHaveText(`/ ${address_text}`);
  await editor(page).fill('Stones');
  await editor(page).press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Bold' }).click();
  await expect(editor(page)).toHaveText('**Stones**');
  await page.mouse.move(0, 0); // the tooltip of the button stands outside of the page's parts
  await expect(page.locator('#tip')).toBeHidden();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Preview' }).locator('strong')).toHaveText('Stones');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Write' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.toast, .saved').getByText('Project updated')).toBeVisible();
  await page.goto(`/mod/${slug}`);
  await expect(page.locator('article.prose strong')).toHaveText('Stones');
});

test('by keyboard alone: the toolbar is one stop, shortcuts work, and Tab does not hold anybody', async ({
  page,
}) => {
  await signInAs(page, demoAccounts[2]!);
  await open(page, await draftOf(page, 'Keys'));
  await tabTo(page, page.getByRole('button', { name: 'Bold' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Italic' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Upload image' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(editor(page)).toBeFocused();
  await expect(editor(page)).toHaveAccessibleDescription(/Escape, then Tab/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Tab'); // moves the item in
  await expect(editor(page)).toBeFocused();
  await expect(editor(page)).toHaveText('- one  - two');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast, .saved').getByText('Project updated')).toBeVisible();
});

test('a draft survives the page, is offered again, and is gone once saved', async ({ page }) => {
  await signInAs(page, demoAccounts[2]!);
  const slug = await draftOf(page, 'Draft');
  page.on('dialog', (dialog) => void dialog.accept());
  await open(page, slug);
  await editor(page).fill('Half a thought');
  await page.reload();
  await expect(page.getByText('You left a draft here')).toBeVisible();
  await page.getByRole('button', { name: 'Restore draft' }).click();
  await expect(editor(page)).toHaveText('Half a thought');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.toast, .saved').getByText('Project updated')).toBeVisible();
  await open(page, slug);
  await expect(page.getByText('You left a draft here')).toBeHidden();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))),
  ).toEqual([]);
});

test('pictures are uploaded into the text, too large ones are not', async ({ page }) => {
  await signInAs(page, demoAccounts[2]!);
  await open(page, await draftOf(page, 'Pictures'));
  const stone = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload image' }).click();
  await (await chooser).setFiles([
    { name: 'stone.png', mimeType: 'image/png', buffer: stone },
    { name: 'mountain.png', mimeType: 'image/png', buffer: Buffer.alloc(1_048_577) },
  ]);
  await expect(page.getByText('File too large', { exact: true })).toBeVisible();
  await expect(editor(page)).toContainText(/!\[\]\(http\S+cached_images\/\S+\)/);
  await expect(editor(page)).not.toContainText('mountain');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Preview' }).locator('img')).toHaveJSProperty(
    'complete',
    true,
  );
});

test('pictures are pasted and dropped into the text, up to their limit', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(page, demoAccounts[2]!);
  await open(page, await draftOf(page, 'Pasted'));
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer();
  const pictures = () => editor(page).textContent();
  // one after the other, not one in the text of the other
  const links = async () =>
    (await pictures())?.match(/!\[\]\(http[^()]+cached_images\/[^()]+\)/g)?.length ?? 0;
  await page.evaluate(
    async (bytes) =>
      await navigator.clipboard.write([
        new ClipboardItem({ 'image/png': new Blob([Uint8Array.from(bytes)], { type: 'image/png' }) }),
      ]),
    [...png],
  );
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(links).toBe(1);
  const dropped = async (name: string, type: string, size: number) => {
    const data = await page.evaluateHandle(
      ([bytes, name, type, size]) => {
        const transfer = new DataTransfer();
        const padding = new Uint8Array(Math.max(0, size - bytes.length));
        transfer.items.add(new File([Uint8Array.from(bytes), padding], name, { type }));
        return transfer;
      },
      [[...png], name, type, size] as const,
    );
    await editor(page).dispatchEvent('drop', { dataTransfer: data });
  };
  await dropped('stone.png', 'image/png', 0);
  await expect.poll(links).toBe(2);
  await dropped('mountain.png', 'image/png', 1_048_577);
  await expect(page.getByText('File too large', { exact: true })).toBeVisible();
  await expect(page.getByText(/mountain\.png/)).toBeVisible();
  expect(await links()).toBe(2);
});
