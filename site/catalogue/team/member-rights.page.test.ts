import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { call } from '../../testing/call.ts';
import { descriptionOf, field, send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { isShown } from '../../testing/shown.ts';
import { testSite } from '../../testing/test-site.ts';

/** What people see on the projects of others: as members without rights, and with those that their organization gives. */
const database = testDatabase();
const site = testSite(database);
const uploads = 1;
const edits = 4;
const screens = ['general', 'description', 'environment', 'license', 'links', 'tags', 'gallery', 'webhooks'];

async function signedIn() {
  const account = await build.user(database.sql);
  return { ...account, visitor: await site.as(account.username) };
}

/** What can be used of a page's own forms and buttons. */
const usable = (page: Page): string[] =>
  [...page.document.querySelectorAll('.project-settings .main form')]
    .flatMap((form) => [...form.querySelectorAll('input:not([type=hidden]), select, textarea, button')])
    .filter((control) => !control.closest('[disabled], fieldset[disabled], [aria-disabled=true]'))
    .filter(isShown)
    .map((control) => control.outerHTML);

test('a member without rights reads every screen, is told why, and is offered nothing', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const body = 'Stones that stand in rows, and what lies behind them. '.repeat(5);
  const project = await build.project(database.sql, { owner, status: 'draft', body, body_html: body });
  await build.version(database.sql, project);
  await build.member(database.sql, project.team, mate);
  const path = `/project/${project.id}`;
  const { visitor } = mate;

  let page = await visitor.open(path);
  expect(page.text()).toContain('All required steps are done.');
  expect(page.all('button', { name: 'Submit for review' })).toHaveLength(0);
  page = await visitor.open(`${path}/settings`);
  page.one('heading', { name: 'Overview', level: 1 });
  for (const part of screens) {
    page = await visitor.open(`${path}/settings/${part}`);
    const notes = [...page.document.querySelectorAll('[role=note]')].map((note) => page.text(note));
    expect(notes, part).toContainEqual(
      expect.stringMatching(/don’t have permission|may not|Ask another member/),
    );
    expect(usable(page), part).toEqual([]);
  }
  page = await visitor.open(`${path}/version/create`);
  expect(page.text()).toMatch(/permission to/);
  expect(page.all('textbox', { name: 'Version number' })).toHaveLength(0);
  page = await visitor.open(`${path}/settings/analytics`);
  const notes = [...page.document.querySelectorAll('[role=note]')].map((note) => page.text(note));
  expect(notes).toContainEqual(expect.stringContaining('don’t have permission'));
  page = await visitor.open(`${path}/moderation`);
  const submit = page.one('button', { name: 'Submit for review', within: page.main });
  expect(submit.hasAttribute('disabled')).toBe(true);
  expect(descriptionOf(submit)).toMatch(/^Only members who can edit/);
});

test('rights of an organization open its projects to members, as far as they go, until they are taken', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const group = await build.organization(database.sql, { owner });
  const project = await build.project(database.sql, {
    organization: group,
    status: 'draft',
    title: 'Shared',
  });
  await build.member(database.sql, group.team_id, mate, { permissions: edits, organization_permissions: 0 });
  const path = `/project/${project.id}`;
  const { visitor } = mate;

  let page = await visitor.open('/dashboard/projects');
  page = await page.follow(page.all('link', { name: 'Shared', within: page.main })[0]!);
  page.one('heading', { name: 'Shared', level: 1 });
  page = await visitor.open(`${path}/settings/general`);
  const summary = field(page, 'Summary');
  page = await send(
    page,
    'Save',
    { Summary: 'Herons stand in rows, and look at the water between.' },
    { within: summary.closest('form')! },
  );
  expect(page.text()).toMatch(/Project updated|Changes saved/);
  expect((await visitor.open(`${path}/settings/description`)).text()).toContain(
    'You don’t have permission for this',
  );
  expect((await visitor.open(`${path}/version/create`)).text()).toMatch(/permission to/);
  page = await visitor.open(`/organization/${group.slug}/settings/projects`);
  expect(page.text()).toContain('You can view this page but not change anything');

  const member = `/v3/team/${group.team_id}/members/${mate.id}`;
  await call(owner.visitor, 'PATCH', member, { permissions: uploads });
  page = await visitor.open(`${path}/version/create`);
  expect(field(page, 'Version number').hasAttribute('disabled')).toBe(false);
  expect((await visitor.open(`${path}/settings/general`)).text()).toContain(
    'You don’t have permission for this',
  );
  await call(owner.visitor, 'DELETE', member);
  expect((await visitor.fetch(`${path}/settings/general`)).status).toBe(404);
});
