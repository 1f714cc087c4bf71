import { expect, type Page, test } from 'playwright/test';
import { main } from './buyer.ts';
import { addToTeam, draftOf, finishDraft, person } from './team-fixture.ts';

/** What people see on the projects of others: as members without rights, and with those that their organization gives. */
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const uploads = 1;
const edits = 4;

/** What can be used of a page's own forms and buttons. */
const usable = (page: Page) =>
  page
    .locator('.project-settings .main')
    .locator(
      'form :is(input:not([type=hidden]), select, textarea, button):enabled:not([aria-disabled=true]):visible',
    );

const screens = ['general', 'description', 'environment', 'license', 'links', 'tags', 'gallery', 'webhooks'];

// every screen of the settings
test.slow();

for (const width of [390, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    const viewport = { width, height: 800 };

    test('a member without rights reads every screen, is told why, and is offered nothing', async ({
      browser,
    }) => {
      const [owner, mate] = await Promise.all([person(browser, { viewport }), person(browser, { viewport })]);
      const project = await draftOf(owner, 'looked-at');
      await finishDraft(owner, project);
      await addToTeam(owner, project.team, mate, { permissions: 0, joins: false });
      const { page } = mate;
      await page.goto(project.path);
      await page.getByRole('button', { name: /^Accept the invitation/ }).click();
      await expect(page.getByText('You have joined the project team')).toBeVisible();

      await page.goto(project.path);
      await expect(page.getByText('All required points are done.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Submit for review' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Project settings' }).click();
      await expect(title(page)).toHaveText('Overview');
      for (const part of screens) {
        await page.goto(`${project.path}/settings/${part}`);
        const note = page.getByRole('note').filter({ hasText: /can’t change|may not|Ask another member/ });
        await expect(note.first(), part).toBeVisible();
        expect(await usable(page).evaluateAll((all) => all.map((one) => one.outerHTML)), part).toEqual([]);
      }
      await page.goto(`${project.path}/versions`);
      await expect(page.locator('html[data-viewer-known]')).toBeAttached();
      await expect(main(page).getByRole('link', { name: 'Upload version' })).toBeHidden();
      await page.goto(`${project.path}/version/create`);
      await expect(page.getByText(/permission to/)).toBeVisible();
      await expect(page.getByLabel('Version number')).toHaveCount(0);
      await page.goto(`${project.path}/settings/analytics`);
      await expect(page.getByRole('note').filter({ hasText: 'can’t' }).first()).toBeVisible();
      await page.goto(`${project.path}/moderation`);
      const submit = main(page).getByRole('button', { name: 'Submit for review' });
      await expect(submit).toBeDisabled();
      await expect(submit).toHaveAccessibleDescription(/^Only members who may edit/);
    });
  });
}

test('rights of an organization open its projects to members, as far as they go, until they are taken', async ({
  browser,
}) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const headers = { authorization: owner.token };
  const name = `Herons ${Date.now().toString(36)}`;
  const data = { name, slug: name.toLowerCase().replace(' ', '-'), description: 'They stand and look.' };
  const made = await owner.page.request.post('/v3/organization', { headers, data });
  const group = (await made.json()) as { id: string; slug: string; team_id: string };
  const project = await draftOf(owner, 'shared');
  const moved = await owner.page.request.post(`/v3/organization/${group.id}/projects`, {
    headers,
    data: { project_id: project.id },
  });
  expect(moved.ok(), await moved.text()).toBe(true);
  await addToTeam(owner, group.team_id, mate, { permissions: edits, organization_permissions: 0 });

  const { page } = mate;
  await page.goto('/dashboard/projects');
  await main(page)
    .getByRole('link', { name: `Made ${project.slug}` })
    .first()
    .click();
  await page.goto(`${project.path}/settings/general`);
  await page.getByLabel('Summary').fill('Herons stand in rows, and look at the water between.');
  await main(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Project updated')).toBeVisible();
  await page.goto(`${project.path}/settings/description`);
  await expect(page.getByText('You can’t change this')).toBeVisible();
  await page.goto(`${project.path}/version/create`);
  await expect(page.getByText(/permission to/)).toBeVisible();
  await page.goto(`/organization/${group.slug}/settings/projects`);
  await expect(page.getByText('You can look, but not change anything')).toBeVisible();

  const more = await owner.page.request.patch(`/v3/team/${group.team_id}/members/${mate.id}`, {
    headers,
    data: { permissions: uploads },
  });
  expect(more.status(), await more.text()).toBe(204);
  await page.goto(`${project.path}/version/create`);
  await expect(page.getByLabel('Version number')).toBeEnabled();
  await page.goto(`${project.path}/settings/general`);
  await expect(page.getByText('You can’t change this')).toBeVisible();
  const gone = await owner.page.request.delete(`/v3/team/${group.team_id}/members/${mate.id}`, { headers });
  expect(gone.status()).toBe(204);
  expect((await page.goto(`${project.path}/settings/general`))?.status()).toBe(404);
});
