import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { zipOf } from '../db/testing/zips.ts';
import { main } from './buyer.ts';
import { followMail, signUp } from './newcomer.ts';

/** Somebody without an account publishes a first mod: from signing up to the queue, one screen leading to the next. */
const points = (page: Page) => page.getByRole('list', { name: 'To do' }).getByRole('listitem');
const next = (page: Page) =>
  points(page)
    .getByRole('link', { name: /^Go there/ })
    .first();

async function fernsJar() {
  const mod = {
    schemaVersion: 1,
    id: 'pale_ferns',
    name: 'Pale Ferns',
    version: '1.0.0',
    environment: '*',
    depends: { minecraft: '>=1.21 <1.21.2', fabricloader: '>=0.16' },
  };
  const entries = { 'fabric.mod.json': JSON.stringify(mod), noise: randomBytes(64) };
  return [...(await zipOf(entries, { store: true }))];
}

async function picture(side: number) {
  const background = `#${randomBytes(3).toString('hex')}`;
  const image = sharp({ create: { width: side, height: side, channels: 3, background } });
  return { name: 'ferns.png', mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

async function drop(page: Page, name: string, bytes: number[]) {
  const dataTransfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes as number[])], name as string));
      return transfer;
    },
    [name, bytes] as const,
  );
  await page.dispatchEvent('.dropzone', 'drop', { dataTransfer });
}

/** Saves a screen of the settings. */
async function save(page: Page) {
  await main(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.toast, .saved').getByText('Project updated')).toBeVisible();
}

/** What is done on the screens that the checklist leads to, by their paths. */
const mends: Record<string, (page: Page) => Promise<void>> = {
  async description(page) {
    await expect(page.locator('[data-editor][data-ready]')).toBeAttached();
    const text = 'Ferns that glow faintly where the forest is darkest. '.repeat(5);
    await page.getByRole('textbox', { name: 'Description' }).fill(text);
    await save(page);
  },
  async license(page) {
    const box = page.getByRole('combobox', { name: 'License' }).and(page.locator('input'));
    await box.fill('(MIT)');
    await page.getByRole('option', { name: '(MIT)' }).click();
    await expect(page.getByLabel('License URL')).toBeVisible();
    await expect(page.getByLabel('Name or SPDX expression')).toBeHidden();
    await save(page);
  },
  async general(page) {
    await page.getByLabel('Icon').setInputFiles(await picture(128));
    await page.getByRole('button', { name: 'Save image' }).click();
    await expect(page.getByText('Icon updated')).toBeVisible();
  },
  async tags(page) {
    await page.getByRole('checkbox', { name: 'Decoration', exact: true }).check();
    await save(page);
  },
  async links(page) {
    await page.getByLabel('Source code').fill('https://github.com/fen/ferns');
    await save(page);
  },
  async gallery(page) {
    await page.getByLabel('Add images').setInputFiles(await picture(640));
    await expect(main(page).getByRole('link', { name: /^Edit Image/ })).toBeVisible();
    await expect(main(page).getByText('Featured', { exact: true })).toBeAttached();
  },
};

// thirty pages, one after the other
test.slow();
test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

/** Opens the page of a new project from the menus. */
async function startProject(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'New project' }).filter({ visible: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Create project', level: 1 })).toBeVisible();
}

test('a newcomer signs up on a phone, publishes a first mod and submits it for review', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create account' }).click();
  const { email, username } = await signUp(page);
  await expect(page).toHaveURL('/mod/lanternroot');
  await startProject(page);
  await expect(page.getByText('Verify your email address first')).toBeVisible();
  const mail = await followMail(page, email, 'Verify address');
  await mail.getByRole('button', { name: 'Verify address' }).click();
  const onward = mail.getByRole('link', { name: 'Continue' });
  await expect(onward).toBeVisible();
  const verified = mail.url();
  await onward.click();
  await expect(mail).not.toHaveURL(verified);

  await mail.goto('/mods');
  await startProject(mail);
  await expect(mail.getByRole('radio', { name: /^Mod\b/ })).toBeChecked();
  await mail.getByRole('textbox', { name: 'Name' }).fill(`Pale Ferns ${username}`);
  await mail
    .getByRole('textbox', { name: 'Summary' })
    .fill('Ferns that glow faintly in dark corners of forests.');
  await mail.getByRole('button', { name: 'Create draft' }).click();

  await expect(mail.getByRole('heading', { level: 1 })).toHaveText('New version');
  await expect(mail.getByLabel('Version number')).toBeEnabled();
  await drop(mail, 'pale-ferns-1.0.0.jar', await fernsJar());
  await expect(mail.getByLabel('Version number')).toHaveValue('1.0.0');
  await mail.getByLabel('Runs on').selectOption({ label: 'Client and server, both required' });
  await main(mail).getByRole('button', { name: 'Publish version' }).click();
  await expect(main(mail).getByRole('heading', { name: /^1\.0\.0/ })).toBeVisible();
  await expect(main(mail)).toContainText('No license yet');
  await mail.getByRole('link', { name: 'Publishing checklist' }).click();
  await expect(next(mail)).toBeVisible();

  for (let step = 0; step < 8 && (await next(mail).isVisible()); step += 1) {
    const open = await points(mail).filter({ visible: true }).count();
    const [, part] = /settings\/(\w+)$/.exec((await next(mail).getAttribute('href'))!)!;
    await next(mail).click();
    await expect(mail.getByRole('heading', { level: 1 })).toHaveText(new RegExp(part!, 'i'));
    await mends[part!]!(mail);
    await expect(async () => {
      // on pages of settings the checklist is one line
      const folded = mail.locator('details.checklist:not([open]) > summary');
      if (await folded.isVisible()) await folded.click();
      expect(await points(mail).filter({ visible: true }).count()).toBe(open - 1);
    }).toPass();
  }
  await expect(points(mail).filter({ visible: true })).toHaveCount(0);
  await mail.getByRole('link', { name: 'Continue to review' }).click();
  await main(mail)
    .getByRole('button', { name: 'Submit for review' })
    .filter({ visible: true })
    .last()
    .click();
  await expect(mail.getByText('Submitted for review')).toBeVisible();
  await expect(mail.getByRole('note').getByText('Under review')).toBeVisible();
  await expect(main(mail)).toContainText(/Position in the queue/i);
});
