import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { field, send, shownIn } from '../../testing/fill.ts';
import { accessibleName } from '../../testing/roles.ts';
import { isShown } from '../../testing/shown.ts';
import { testSite } from '../../testing/test-site.ts';

/** The settings of a project for those who may not change them, and without scripts. */
const database = testDatabase();
const site = testSite(database);
let project: build.BuiltProject;
let path: string;
beforeAll(async () => {
  project = await build.project(database.sql, { project_types: ['mod'], body: 'Water wheels that turn.' });
  await build.version(database.sql, project);
  path = `/mod/${project.slug}`;
});

test('a member without rights reads everything and changes nothing', async () => {
  const reader = await build.user(database.sql);
  await build.member(database.sql, project.team, reader, { permissions: 256 });
  let page = await (await site.as(reader.username)).open(`${path}/settings`);
  const open = async (name: string) => {
    const screens = page.one('navigation', { name: 'Project settings' });
    page = await page.follow(page.one('link', { name, within: screens }));
    page.one('heading', { name, level: 1 });
  };
  for (const name of ['General', 'License', 'Links', 'Tags']) {
    await open(name);
    expect(page.text(page.main)).toContain('You don’t have permission for this');
    expect(page.all('button', { name: 'Save', within: page.main })).toHaveLength(0);
  }
  const storage = page.one('checkbox', { name: 'Storage' });
  expect(storage.closest('[disabled]')).not.toBeNull();
  await open('Environment');
  expect(page.text(page.main)).toContain('Ask another member to change it.');
  expect(page.one('radio', { name: /^Client only/ }).closest('[disabled]')).not.toBeNull();
});

test('others are told that they have no permission to settings and new versions, and visitors sign in first', async () => {
  const stranger = await site.as((await build.user(database.sql)).username);
  for (const screen of ['settings/general', 'version/create']) {
    expect((await site.open(`${path}/${screen}`)).url).toMatch(/^\/auth\/sign-in/);
    const page = await stranger.open(`${path}/${screen}`);
    expect(page.status).toBe(403);
    expect(page.text(page.main)).toContain('You don’t have permission to open these settings.');
  }
});

test('only projects with modpacks are asked about files from elsewhere', async () => {
  const { sql } = database;
  const visit = async ({ slug, owner }: build.BuiltProject, type: string) => {
    const visitor = await site.as(owner.username);
    const overview = await visitor.open(`/${type}/${slug}/settings`);
    const { status } = await visitor.open(`/${type}/${slug}/settings/attribution`);
    return [overview.all('link', { name: /^External files/ }).length, status];
  };
  expect(await visit(project, 'mod')).toEqual([0, 404]);
  expect(await visit(await build.project(sql, { project_types: ['modpack'] }), 'modpack')).toEqual([2, 200]);
  // its pack is hidden until somebody answers, so the project is still what it was
  const held = await build.project(sql, { project_types: ['mod'] });
  await sql`insert into attribution_groups (id, project_id, created) values ('AAAABBBB', ${held.id}, now())`;
  expect(await visit(held, 'mod')).toEqual([2, 200]);
});

test('the checklist of a draft counts what its lists show', async () => {
  const draft = await build.project(database.sql, { status: 'draft', project_types: ['mod'] });
  const page = await (await site.as(draft.owner.username)).open(`/mod/${draft.slug}/settings`);
  const shown = (name: string) => page.all('listitem', { within: page.one('list', { name }) }).length;
  expect(shown('To do')).toBeGreaterThan(2);
  expect(page.text()).toContain(`${shown('To do')} open, ${shown('Completed steps')} done`);
});

test('a saved icon is said once', async () => {
  const owner = await site.as(project.owner.username);
  const page = await owner.open(`${path}/settings/general?saved=icon`);
  expect(page.text(page.main)).toContain('Project icon updated');
  expect(page.text(page.main)).not.toContain('Project updated');
});

describe('without scripts', () => {
  test('two people change the same, and nothing typed is lost', async () => {
    const owner = await site.as(project.owner.username);
    let page = await owner.open(`${path}/settings/general`);
    const patched = await site.fetch(`/v2/project/${project.slug}`, {
      method: 'PATCH',
      headers: {
        authorization: await build.token(database.sql, project.owner),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ description: 'Changed by a program meanwhile.' }),
    });
    expect(patched.status).toBe(204);
    page = await send(page, 'Save', { Summary: 'Typed without any script.' }, { within: page.main });
    const conflict = page.one('region', { name: 'Two people changed this' });
    expect(page.text(conflict)).toContain('Changed by a program meanwhile.');
    expect(page.text(conflict)).toContain('Typed without any script.');
    const [theirs] = page.all('radio', { name: /Theirs/, within: conflict }).map(accessibleName);
    page = await send(page, 'Save', { [theirs!]: true }, { within: page.main });
    expect(page.text()).toContain('Project updated');
    expect(shownIn(field(page, 'Summary'))).toBe('Changed by a program meanwhile.');
  });

  test('the description is a text area that saves', async () => {
    let page = await (await site.as(project.owner.username)).open(`${path}/settings/description`);
    expect(shownIn(field(page, 'Description'))).toMatch(/Water wheels/);
    expect([...page.document.querySelectorAll('[role=toolbar]')].filter(isShown)).toHaveLength(0);
    page = await send(page, 'Save', {}, { within: page.main });
    expect(page.text()).toContain('Project updated');
  });
});
