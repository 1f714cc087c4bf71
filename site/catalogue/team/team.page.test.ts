import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, isChecked, send, unfold } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

/** The members of a draft, as a browser without scripts shows them: rights, the last word, leaving. */
const database = testDatabase();
const site = testSite(database);
const rows = (page: Page) => [...page.document.querySelectorAll('.team-row')];
const rowOf = (page: Page, name: string) => rows(page).find((row) => row.textContent!.includes(name));

async function signedIn() {
  const account = await build.user(database.sql);
  return { ...account, visitor: await site.as(account.username) };
}
type Person = Awaited<ReturnType<typeof signedIn>>;

async function draftOf(owner: Person) {
  const project = await build.project(database.sql, { owner, status: 'draft' });
  return { ...project, members: `/project/${project.id}/settings/members` };
}

test('a member without rights sees notices, changes nothing and may leave', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const { team, members } = await draftOf(owner);
  await build.member(database.sql, team, mate);
  let page = await mate.visitor.open(members);
  expect(page.text()).toContain('You can view this page but not change anything');
  expect(page.document.querySelector('[name=username]')).toBeNull();
  page = await page.follow(page.one('link', { name: 'Your membership' }));
  unfold(page, 'Leave the team');
  expect(field(page, 'Upload versions').closest('fieldset[disabled]')).not.toBeNull();
  expect(page.all('button', { name: 'Save' })).toHaveLength(0);
  page = await send(page, 'Yes, leave');
  expect(page.text()).toContain('You’ve left the team');
});

test('a member gives only rights that they have themselves', async () => {
  const [owner, mate, third] = [await signedIn(), await signedIn(), await signedIn()];
  const { team, members } = await draftOf(owner);
  await build.member(database.sql, team, mate, { permissions: 64 | 1 });
  await build.member(database.sql, team, third);
  let page = await mate.visitor.open(`${members}?member=${third.id}`);
  const locked = field(page, 'Delete versions');
  expect(locked.hasAttribute('disabled')).toBe(true);
  expect(descriptionOf(locked)).toMatch(/don’t have/);
  // how payouts are divided is the owner's
  expect(field(page, 'Payout weight').hasAttribute('readonly')).toBe(true);
  expect(descriptionOf(field(page, 'Payout weight'))).toMatch(/Only the owner/);
  page = await send(page, 'Save', { 'Upload versions': true });
  expect(page.text()).toContain('Changes saved');
  expect(isChecked(field(page, 'Upload versions'))).toBe(true);
  page = await mate.visitor.open(`${members}?member=${owner.id}`);
  expect(page.text()).toContain('they have permissions you don’t have');
  page = await owner.visitor.open(`${members}?member=${third.id}`);
  page = await send(page, 'Save', { 'Payout weight': '5001' });
  expect(descriptionOf(field(page, 'Payout weight'))).toMatch(/0 to 5000/);
  page = await send(page, 'Save', { 'Payout weight': '12,5' });
  expect(page.text()).toContain('Changes saved');
});

test('the ownership goes to a member, and the former owner stays', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const { team, members } = await draftOf(owner);
  await build.member(database.sql, team, mate);
  let page = await owner.visitor.open(members);
  unfold(page, 'Transfer ownership');
  page = await send(page, 'Transfer ownership now');
  expect(descriptionOf(field(page, 'New owner'))).toContain('Choose a member.');
  page = await send(page, 'Transfer ownership now', { 'New owner': mate.username });
  expect(page.text()).toContain('Ownership transferred');
  expect(page.text(rowOf(page, mate.username))).toContain('Owner');
  expect(page.text(rowOf(page, owner.username))).not.toContain('Owner');
  expect(page.withText('Transfer ownership')).toHaveLength(0);
});

test('a member is invited, edited, moved and removed without scripts', async () => {
  const [owner, one, two] = [await signedIn(), await signedIn(), await signedIn()];
  const { team, members } = await draftOf(owner);
  await build.member(database.sql, team, one);
  await build.member(database.sql, team, two);
  let page = await owner.visitor.open(members);
  const names = () =>
    [...page.document.querySelectorAll('[data-row] .name')].map((name) => name.textContent!.trim());
  const [first, second] = names();
  page = await send(page, `Move ${second} up`);
  expect(names()).toEqual([second, first]);
  page = await send(page, 'Invite', { Username: one.username });
  expect(page.text()).toContain('already a member');
  page = await owner.visitor.open(members);
  page = await page.follow(page.one('link', { name: `Edit ${one.username}` }));
  page = await send(page, 'Save', { 'Edit members': true });
  unfold(page, 'Remove from the team');
  expect(page.text()).toContain('Changes saved');
  expect(isChecked(field(page, 'Edit members'))).toBe(true);
  page = await send(page, `Remove ${one.username}`);
  expect(page.text()).toContain('Removed');
  expect(rowOf(page, one.username)).toBeUndefined();
});

test('an invitation is declined in the list of notifications, and all is read', async () => {
  const [owner, mate] = [await signedIn(), await signedIn()];
  const project = await build.project(database.sql, { owner, title: 'Moss' });
  const asked = await owner.visitor.fetch(`/v3/team/${project.team}/members`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: mate.id, role: 'Tester' }),
  });
  expect(asked.status).toBe(204);
  await site.consumeEvents();
  const page = await mate.visitor.open('/dashboard/notifications');
  const done = await send(page, 'Decline the invitation to Moss');
  expect(done.text()).toContain('You have declined the team invitation');
  expect((await mate.visitor.open('/dashboard/notifications')).text()).toContain('You’re all caught up');
});
