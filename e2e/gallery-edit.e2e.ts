import { crc32, deflateSync } from 'node:zlib';
import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { main, title } from './buyer.ts';
import { projectFixture } from './project-fixture.ts';

/** A creator adds, orders, describes and deletes the pictures of a project. */
const png = (background: string) =>
  sharp({ create: { width: 800, height: 450, channels: 3, background } })
    .png()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await png(background),
});
const rows = (page: Page) => main(page).getByRole('list', { name: 'Images in order' }).getByRole('listitem');
const save = (page: Page) =>
  page.locator('[data-unsaved]').getByRole('button', { name: 'Save', exact: true });

/** A black square of `side` pixels in a few hundred kilobytes. */
function black(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]); // one bit for each pixel
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  const begin = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([begin, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

test('pictures are added, ordered by keyboard, described and deleted', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path } = await projectFixture(request, 'pictures', { pictures: 2 });
  await signInAs(page, demoAccounts[2]!);
  await page.goto(`${path}/gallery`);
  await page.getByRole('link', { name: 'Edit gallery' }).click();
  await expect(title(page)).toHaveText('Gallery');
  await expect(rows(page)).toHaveCount(2);

  const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('stones') };
  const added = page.getByLabel('Add images');
  await expect(added).toHaveAttribute('multiple'); // its script runs
  await added.setInputFiles([await file('dawn.png', '#d96'), large, text, await file('dusk.png', '#649')]);
  const uploads = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(uploads.filter({ hasText: 'large.png' })).toContainText('File too large');
  await expect(uploads.filter({ hasText: 'notes.txt' })).toContainText('This isn’t a PNG');
  await expect(page.getByText('2 images added')).toBeVisible();
  await page.getByRole('button', { name: 'Show the new images' }).click();
  await expect(rows(page)).toHaveCount(4);
  expect(await axeFinds(page)).toEqual([]);

  const handle = rows(page)
    .nth(2)
    .getByRole('button', { name: /Image 3/ })
    .first();
  await handle.focus();
  await handle.press('Home');
  await save(page).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await expect(rows(page).first().locator('bdi').first()).toHaveText('Image 1');
  await expect(rows(page).nth(1)).toContainText('View 1');

  await rows(page).first().getByRole('link', { name: 'Edit Image 1' }).click();
  await page.getByLabel('Title').fill('Dawn');
  await page.getByLabel('Alt text').fill('The sky turns orange over a wall');
  await page.getByLabel('Featured image').check();
  await save(page).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to all images' }).click();
  await expect(rows(page).filter({ hasText: 'Featured' })).toHaveCount(1);
  await expect(rows(page).first()).toContainText('Dawn');

  await rows(page).nth(3).getByRole('link', { name: /^Edit/ }).click();
  await page.locator('summary', { hasText: 'Delete image' }).click();
  await expect(page.getByText('deleted forever')).toBeVisible();
  await page.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('Image deleted')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);

  await page.goto(`${path}/gallery`);
  await expect(page.getByRole('img', { name: 'The sky turns orange over a wall' })).toBeVisible();
});

test('a pasted and a dropped picture, and one with too many pixels', async ({ page, request }) => {
  const { path } = await projectFixture(request, 'pasted', {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(`${path}/settings/gallery`);
  await expect(page.getByText('No images yet')).toBeVisible();
  const send = async (type: 'paste' | 'drop', buffer: Buffer, name: string) =>
    await page.evaluate(
      ({ type, base64, name }) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: 'image/png' }));
        const target = document.querySelector('[data-drop]')!;
        const given = { bubbles: true, cancelable: true };
        target.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...given, clipboardData: data })
            : new DragEvent('drop', { ...given, dataTransfer: data }),
        );
      },
      { type, base64: buffer.toString('base64'), name },
    );
  await send('paste', await png('#274'), 'pasted.png');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('Featured'); // a first picture is
  await send('drop', await png('#427'), 'dropped.png');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).not.toContainText('Featured');
  await send('drop', black(30_000), 'huge.png');
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('it has too many pixels');
  await expect(rows(page)).toHaveCount(2);
});

test('a failed upload says so, keeps the page, and can be tried again', async ({ page, request }) => {
  const { path } = await projectFixture(request, 'offline', {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(`${path}/settings/gallery`);
  await page.route('**/v2/project/*/gallery?*', (route) => route.abort());
  await page.getByLabel('Add images').setInputFiles(await file('dawn.png', '#d96'));
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('Check your connection');
  await page.unroute('**/v2/project/*/gallery?*');
  await page.getByLabel('Add images').setInputFiles(await file('dawn.png', '#d96'));
  await expect(page.getByText('1 image added')).toBeVisible();
});
