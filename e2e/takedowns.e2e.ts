import { expect, type Page, test } from 'playwright/test';
import { lockProject } from '../db/catalogue/projects/locked.ts';
import { projectRef } from '../db/catalogue/projects/read.ts';
import { demoAccounts } from '../db/demo/demo.ts';
import { takeDown } from '../db/moderation/takedowns/write.ts';
import { operator } from '../db/platform/people/rules.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { withDatabase } from './database.ts';
import { projectFixture } from './project-fixture.ts';

/** How a takedown looks to staff and to members; what each can do is in `site/moderation/takedowns/takedowns.page.test.ts`. */
const [, moderator, creator] = demoAccounts;
test.use({ viewport: { width: 390, height: 844 } });

const takenDown = (slug: string): Promise<string> =>
  withDatabase((sql) =>
    sql.begin(async (tx) => {
      const project = await lockProject(tx, (await projectRef(tx, slug))!.id, operator);
      const reason = 'Copies the textures of another project.';
      return await takeDown(tx, operator, project, { reason, reference: 'N-2026/77', now: new Date() });
    }),
  );

test('the pages of a takedown are accessible', async ({ page, request }) => {
  const { path, slug } = await projectFixture(request, 'disputed', {});
  const id = await takenDown(slug);
  const shows = async (at: Page) => {
    await expect(at.getByText('N-2026/77').first()).toBeVisible();
    expect(await axeFinds(at)).toEqual([]);
  };
  await signInAs(page, moderator!);
  await page.goto(`/admin/takedowns/${id}`);
  await shows(page);
  await signInAs(page, creator!);
  await page.goto(`${path}/moderation`);
  await page.getByLabel('Counter-notice').fill('I drew them all myself; the sources are in my repository.');
  await page.getByRole('button', { name: 'Send counter-notice' }).click();
  await expect(page.getByText('Confirm the statement first.')).toBeVisible();
  await shows(page);
});
