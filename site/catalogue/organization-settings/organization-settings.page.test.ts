import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, isChecked, send, unfold } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

/** Organizations and their projects, without scripts. */
const database = testDatabase();
const site = testSite(database);
const rowOf = (page: Page, name: string) =>
  [...page.document.querySelectorAll('.team-row')]
    .filter((row) => row.textContent!.includes(name))
    .map((row) => page.text(row));

async function signedIn() {
  const account = await build.user(database.sql);
  return { ...account, visitor: await site.as(account.username) };
}

test('a project goes into an organization, whose members have default rights that can be overridden', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const group = await build.organization(database.sql, { owner });
  // uploading versions, and managing invitations nowhere
  await build.member(database.sql, group.team_id, mate, { permissions: 1, organization_permissions: 0 });
  const project = await build.project(database.sql, { owner, status: 'draft', title: 'Reeds' });
  const projects = `/organization/${group.slug}/settings/projects`;
  const members = `/project/${project.id}/settings/members`;

  let page = await owner.visitor.open(projects);
  expect(page.text()).toContain('No projects yet');
  page = await send(page, 'Add project');
  expect(descriptionOf(field(page, 'Project'))).toContain('Choose a project.');
  page = await send(page, 'Add project', { Project: 'Reeds' });
  expect(page.text()).toContain('The project now belongs to the organization');

  page = await mate.visitor.open(members);
  expect(page.text()).toContain('You can view this page but not change anything');
  page.one('heading', { name: 'From the organization' });
  expect(rowOf(page, mate.username)).toEqual([expect.stringContaining('1 of 10 permissions')]);

  page = await owner.visitor.open(members);
  page = await page.follow(page.one('link', { name: `Override for ${mate.username}` }));
  expect(isChecked(field(page, 'Upload versions'))).toBe(true);
  page = await send(page, 'Override', { 'Edit details': true });
  page = await owner.visitor.open(members);
  expect(rowOf(page, mate.username)).toEqual([expect.stringContaining('2 of 10 permissions')]);
});

test('a project comes out of an organization, and a member becomes its owner', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const group = await build.organization(database.sql, { owner });
  await build.member(database.sql, group.team_id, mate);
  const project = await build.project(database.sql, { organization: group, status: 'draft', title: 'Reeds' });
  const members = `/project/${project.id}/settings/members`;
  let page = await owner.visitor.open(`/organization/${group.slug}/settings/projects`);
  page = await page.follow(page.one('link', { name: 'Remove Reeds from the organization' }));
  page = await send(page, 'Remove project', { 'New owner': mate.username });
  expect(page.text()).toContain('The project has left the organization');
  page = await mate.visitor.open(members);
  expect(rowOf(page, mate.username)).toEqual([expect.stringContaining('Owner')]);
});

test('a project is moved from its own settings, and an outsider finds neither', async () => {
  const [owner, outsider] = [await signedIn(), await signedIn()];
  const group = await build.organization(database.sql, { owner, name: 'Herons' });
  const project = await build.project(database.sql, { owner, status: 'draft' });
  const members = `/project/${project.id}/settings/members`;
  let page = await owner.visitor.open(members);
  unfold(page, 'Move to an organization');
  page = await send(page, 'Move project', { Organization: 'Herons' });
  unfold(page, 'Remove from the organization');
  expect(page.text()).toContain('The project now belongs to the organization');
  page = await send(page, 'Remove project');
  expect(page.text()).toContain('The project has left the organization');
  for (const path of [members, `/organization/${group.slug}/settings/members`])
    expect([path, (await outsider.visitor.fetch(path)).status]).toEqual([path, 404]);
});

test('an organization is made with the address of its name, and a refused name says why', async () => {
  const { visitor } = await signedIn();
  let page = await send(await visitor.open('/organization/new'), 'Create organization', {
    Name: 'Plain Herons',
  });
  expect(descriptionOf(field(page, 'Description'))).toMatch(/3 to 256/);
  page = await send(page, 'Create organization', { Description: 'Without any script.' });
  expect(page.url).toBe('/organization/plain-herons/settings');
});
