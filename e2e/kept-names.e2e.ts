import { expect, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { newId } from '../db/platform/id.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { withDatabase } from './database.ts';
import { projectFixture } from './project-fixture.ts';

/** How kept names look to staff, and a deleted version to everybody; what each can do is in page tests. */
for (const width of [390, 1280])
  test(`a kept name and a deleted version are accessible at ${width}`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 844 });
    const { path, slug } = await projectFixture(request, `left-${width}`, {});
    const version = newId();
    await withDatabase(async (sql) => {
      const [project] = await sql<Array<{ id: string }>>`
        select id from projects where slug = ${slug}`;
      await sql`insert into deleted_versions (id, project_id, version_number) values (${version}, ${project!.id}, '0.9.0')`;
      await sql`insert into old_slugs (slug, project_id) values (${`${slug}-before`}, ${project!.id})`;
      await sql`insert into kept_names (kind, name, owner_id)
        values ('project', kept_name('project', ${`${slug}-before`}), ${project!.id})`;
    });
    const answer = await page.goto(`${path}/version/0.9.0`);
    expect(answer!.status()).toBe(410);
    await expect(page.getByRole('heading', { name: 'Version 0.9.0 was deleted' })).toBeVisible();
    expect(await axeFinds(page)).toEqual([]);
    await signInAs(page, demoAccounts[1]!);
    await page.goto('/admin/names');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('link', { name: `${slug}-before` }).click();
    await expect(page.getByText('It was given up less than 90 days ago')).toBeVisible();
    await expect(page.getByLabel('Reason')).toBeVisible();
    expect(await axeFinds(page)).toEqual([]);
  });
