import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import { zipOf } from '../db/testing/zips.ts';
import { main } from './buyer.ts';
import { tabTo } from './focus.ts';
import { addToTeam, draftOf, finishDraft, person } from './team-fixture.ts';

/** A mod from the first word to the queue of the review, without a pointer. */
// hundreds of stops of the Tab key
test.slow();

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });

/** Goes to a control by Tab and presses Enter. */
async function enter(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function save(page: Page): Promise<void> {
  await enter(page, button(page, 'Save'));
  await expect(page.locator('.toast, .saved').getByText(/Project updated|Changes saved/)).toBeVisible();
}

test('a project is made with a version by keyboard alone', async ({ browser }) => {
  const { page, username } = await person(browser, { reducedMotion: 'reduce' });
  const name = `Key Stones ${username}`;
  await page.goto('/dashboard/projects/new');
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type(name);
  await tabTo(page, page.getByRole('textbox', { name: 'Summary' }));
  await page.keyboard.type('Stones that are laid one by one.');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New version');
  await expect(page.getByLabel('Version number')).toBeEnabled();
  const files = page.locator('.dropzone input');
  await tabTo(page, files);
  const manifest = { schemaVersion: 1, id: 'key', version: '1.0.0', name, depends: { minecraft: '1.21.1' } };
  const entries = { 'fabric.mod.json': JSON.stringify(manifest), noise: randomBytes(64) };
  const buffer = await zipOf(entries, { store: true });
  await files.setInputFiles({ name: 'key.jar', mimeType: 'application/java-archive', buffer });
  await expect(page.getByLabel('Version number')).toHaveValue('1.0.0');
  await tabTo(page, page.getByLabel('Runs on'));
  await page.keyboard.press('ArrowDown');
  await enter(page, button(page, 'Publish version'));
  await expect(main(page).getByRole('heading', { name: /^1\.0\.0/ })).toBeVisible();

  await enter(page, page.getByRole('link', { name: 'Publishing checklist' }));
  await expect(page.getByRole('list', { name: 'To do' })).toBeVisible();
});

test('a draft is edited, put in order and submitted by keyboard alone', async ({ browser }) => {
  const [owner, ...mates] = await Promise.all([
    person(browser, { reducedMotion: 'reduce' }),
    person(browser),
    person(browser),
  ]);
  const { page } = owner;
  const project = await draftOf(owner, 'keys');
  await finishDraft(owner, project);
  for (const mate of mates) await addToTeam(owner, project.team, mate);
  await page.goto(project.path);
  await enter(page, page.getByRole('link', { name: /^Go there: Add an icon/ }));
  await tabTo(page, page.getByLabel('Summary'));
  await page.keyboard.press('End');
  await page.keyboard.type(', and another.');
  await tabTo(page, page.getByRole('radio', { name: /^Public/ }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^Unlisted/ })).toBeChecked();
  await save(page);

  const settings = page.getByRole('navigation', { name: 'Project settings' });
  await enter(page, settings.getByRole('link', { name: 'Members' }));
  const names = page.locator('[data-row] .name');
  await expect(names.first()).toBeVisible();
  const [first, second] = await names.allTextContents();
  await tabTo(page, page.getByRole('button', { name: `Move ${second}`, exact: true }));
  await page.keyboard.press('ArrowUp');
  await expect(names).toHaveText([second!, first!]);
  await expect(page.getByRole('button', { name: `Move ${second}`, exact: true })).toBeFocused();
  await save(page);
  await expect(names).toHaveText([second!, first!]);

  await enter(page, page.getByRole('link', { name: 'Review and messages' }));
  await enter(page, button(page, 'Submit for review'));
  await expect(page.getByText('Submitted for review')).toBeVisible();
  await enter(page, button(page, 'Withdraw from review'));
  await expect(page.getByText('Withdrawn from review')).toBeVisible();
});
