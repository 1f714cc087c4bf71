import { beforeEach, describe, expect, it } from 'vitest';
import { saveNotificationChoices } from '#db/catalogue/follows/update-filters.ts';
import { mailPurpose } from '#db/messages/mail/queue.ts';
import { notificationChoices } from '#db/messages/notifications/choices.ts';
import type { MailTime, NewNotification, NotificationType } from '#db/messages/notifications/rules.ts';
import { notify } from '#db/messages/notifications/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { sendDue } from './send-due.ts';

/** Mails of notifications: each notification in one mail at most, also with two jobs at once and after a crash. */
const database = testDatabase();
const sealer = createSealer(Buffer.alloc(32, 7));
const settings = parseSettings({
  SMTP_URL: 'smtp://127.0.0.1:2525',
  SMTP_FROM: 'Cairn <cairn@example.test>',
});
const failures: object[] = [];
const context = {
  get sql() {
    return database.sql;
  },
  settings,
  sealer,
  log: { error: (fields: object) => failures.push(fields) },
};
// a Monday, an hour after the digests
const now = new Date('2026-11-23T08:00:00Z');
const earlier = new Date('2026-11-23T06:00:00Z');

let user: build.BuiltUser;
let project: build.BuiltProject;
beforeEach(async () => {
  failures.length = 0;
  const { sql } = database;
  await sql`update notifications set mail = null`;
  await sql`delete from mails`;
  user = await build.user(sql);
  await sql`update users set email = ${`${user.id}@example.test`}, email_verified = true where id = ${user.id}`;
  project = await build.project(sql, { title: 'Slowwater' });
});

async function choose(type: NotificationType, mail: MailTime) {
  const choices = await notificationChoices(database.sql, user.id);
  const types = { ...choices.types, [type]: { site: true, mail } };
  await saveNotificationChoices(database.sql, { user_id: user.id } as Actor, { ...choices, types });
}
async function update(of = project, created = earlier): Promise<string> {
  const { sql } = database;
  const version = await build.version(sql, of);
  const body = { project_id: of.id, version_id: version.id };
  await notify(sql, [user.id], { type: 'project_update', body }, `project:${of.id}`);
  await sql`update notifications set created = ${created} where body ->> 'version_id' = ${version.id}`;
  const [row] = await sql<Array<{ version_number: string }>>`
    select version_number from versions where id = ${version.id}`;
  return row!.version_number;
}
/** What every invitation says, by somebody called `stonewright`. */
async function invited(team_id: string) {
  const { sql } = database;
  await build.member(sql, team_id, user, { accepted: false });
  const [found] = await sql<Array<{ id: string }>>`select id from users where username = 'stonewright'`;
  const { id } = found ?? (await build.user(sql, { username: 'stonewright' }));
  return { team_id, invited_by: id, role: 'Helper' };
}
/** A message of moderators in a thread. */
const said = (about: { project_id?: string; report_id?: string }): NewNotification => ({
  type: 'moderator_message',
  body: { thread_id: '1', message_id: '2', project_id: null, report_id: null, ...about },
});
interface Sent {
  template: string;
  data: Record<string, unknown>;
}
async function sent(): Promise<Sent[]> {
  const rows = await database.sql<Array<{ id: string; template: string; data: string }>>`
    select id, template, data from mails where user_id = ${user.id} order by created, id`;
  return rows.map(({ id, template, data }) => ({
    template,
    data: JSON.parse(sealer.open(data, mailPurpose(id))!) as Record<string, unknown>,
  }));
}

describe('what is sent at once', () => {
  it('is one mail about each thing, with its own words', async () => {
    const { sql } = database;
    const status = { project_id: project.id, old_status: 'processing', new_status: 'approved' };
    await notify(sql, [user.id], { type: 'status_change', body: status });
    await notify(sql, [user.id], { type: 'report_status_updated', body: { report_id: '1', closed: true } });
    expect(await sendDue(context, new Date(Date.now() + 1_000))).toBe(2);
    expect(failures).toEqual([]);
    const mails = await sent();
    expect(mails.map(({ template }) => template).sort()).toEqual([
      'project_status_approved',
      'report_status_updated',
    ]);
    expect(mails.find(({ template }) => template === 'project_status_approved')!.data).toMatchObject({
      name: 'Slowwater',
    });
    expect(await sendDue(context, new Date())).toBe(0);
    const left = await sql<
      Array<{ type: string }>
    >`select type from notifications where user_id = ${user.id}`;
    expect(left).toEqual([{ type: 'status_change' }]); // the other one was for the mail only
  });
  it.each<[string, () => Promise<NewNotification>, object]>([
    [
      'team_invite',
      async () => ({
        type: 'team_invite',
        body: { ...(await invited(project.team)), project_id: project.id },
      }),
      { name: 'Slowwater', invited_by: 'stonewright', role: 'Helper' },
    ],
    [
      'organization_invite',
      async () => {
        const { id, team_id } = await build.organization(database.sql, { name: 'Stonewrights' });
        return { type: 'organization_invite', body: { ...(await invited(team_id)), organization_id: id } };
      },
      { name: 'Stonewrights', invited_by: 'stonewright', role: 'Helper' },
    ],
    [
      'status_change',
      async () => ({
        type: 'status_change',
        body: { project_id: project.id, old_status: 'approved', new_status: 'withheld' },
      }),
      { name: 'Slowwater', old_status: 'approved', new_status: 'withheld' },
    ],
    ['moderator_message', async () => said({ project_id: project.id }), { name: 'Slowwater' }],
    ['moderator_message', async () => said({ report_id: '1' }), { name: null }],
    [
      'report_status_updated',
      async () => ({ type: 'report_status_updated', body: { report_id: '1', closed: true } }),
      { closed: true },
    ],
  ])('is the mail %s of its own kind', async (template, given, data) => {
    await notify(database.sql, [user.id], await given());
    expect(await sendDue(context, new Date(Date.now() + 1_000))).toBe(1);
    expect(failures).toEqual([]);
    expect(await sent()).toMatchObject([{ template, data: { username: user.username, ...data } }]);
  });
  it('says which webhook of what was turned off, and where', async () => {
    const { sql } = database;
    const organization = await build.organization(sql, { name: 'Stonewrights', owner: user });
    const off = { webhook_id: '11111111', name: 'Build bot' };
    const body = { ...off, project_id: project.id, organization_id: null };
    await notify(sql, [user.id], { type: 'webhook_off', body }, 'webhook:11111111');
    const other = { ...off, webhook_id: '22222222', project_id: null, organization_id: organization.id };
    await notify(sql, [user.id], { type: 'webhook_off', body: other }, 'webhook:22222222');
    expect(await sendDue(context, new Date(Date.now() + 1_000))).toBe(2);
    const about = (path: string) => `${path}/settings/webhooks?webhook=`;
    const links = (await sent()).map(({ data }) => data.link);
    expect(links.sort()).toEqual([
      `${about(`/organization/${organization.slug}`)}22222222`,
      `${about(`/project/${project.slug}`)}11111111`,
    ]);
    expect((await sent()).map(({ data }) => data.text).join()).toContain('“Build bot” of Stonewrights');
  });
  it('says what somebody gets of the revenue after it was divided again', async () => {
    const body = { project_id: project.id, before: 0.4, after: 0.125 };
    await notify(database.sql, [user.id], { type: 'share_changed', body });
    expect(await sendDue(context, new Date(Date.now() + 1_000))).toBe(1);
    expect((await sent()).map(({ data }) => [data.text, data.link])).toEqual([
      ['Your revenue share for Slowwater is now 12.5%. It was 40%.', '/dashboard/revenue'],
    ]);
  });
  it('says who published a project, and nothing once it is hidden', async () => {
    const { sql } = database;
    await choose('new_project', 'now');
    const hidden = await build.project(sql, { status: 'private' });
    for (const { id: project_id } of [project, hidden]) {
      const body = { project_id, published_by: project.owner.id };
      await notify(sql, [user.id], { type: 'new_project', body });
    }
    expect(await sendDue(context, new Date(Date.now() + 1_000))).toBe(1);
    expect((await sent()).map(({ data }) => [data.text, data.link])).toEqual([
      [`${project.owner.username} published Slowwater`, `/project/${project.slug}`],
    ]);
  });
  it('says several versions of one project together', async () => {
    await choose('project_update', 'now');
    await update();
    await update();
    expect(await sendDue(context, now)).toBe(1);
    const [mail] = await sent();
    expect(mail).toMatchObject({
      template: 'notification',
      data: { title: '\u2068Slowwater\u2069 has 2 new versions'.replaceAll(/[\u2068\u2069]/g, '') },
    });
  });
});

describe('a digest', () => {
  it('groups by project, counts versions and waits for its hour', async () => {
    await choose('project_update', 'daily');
    const other = await build.project(database.sql, { title: 'Low Sun' });
    for (let i = 0; i < 5; i++) await update();
    await update(other);
    const late = new Date('2026-11-23T07:30:00Z');
    await update(other, late);
    expect(await sendDue(context, new Date('2026-11-23T06:30:00Z'))).toBe(0);
    expect(await sendDue(context, now)).toBe(1);
    const [mail] = await sent();
    expect(mail).toMatchObject({ template: 'digest', data: { period: 'daily', more: 0 } });
    const { groups } = mail!.data as { groups: Array<{ title: string; items: Array<{ text: string }> }> };
    expect(groups.map(({ title }) => title).sort()).toEqual(['Low Sun', 'Slowwater']);
    const text = groups.find(({ title }) => title === 'Slowwater')!.items.map((item) => item.text);
    expect(text).toEqual([expect.stringMatching(/, and 2 more were released$/)]);
    expect(await sendDue(context, new Date('2026-11-24T07:00:00Z'))).toBe(1); // what came too late for the first
  });
  it('goes out once, with parallel jobs and after a crash in between', async () => {
    await choose('project_update', 'weekly');
    await update();
    const broken = {
      ...context,
      sql: database.sql,
      sealer: {
        seal: () => {
          throw new Error('crash');
        },
      } as never,
    };
    expect(await sendDue(broken, now)).toBe(0);
    expect(failures).toHaveLength(1);
    expect(await sent()).toEqual([]);
    const counts = await Promise.all([1, 2, 3, 4].map(() => sendDue(context, now)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await sent()).toHaveLength(1);
    expect(await sendDue(context, new Date('2026-11-30T07:00:00Z'))).toBe(0);
  });
  it('leaves out what was read on the site, is hidden by now, or waited too long', async () => {
    const { sql } = database;
    await choose('project_update', 'daily');
    await update();
    await sql`update notifications set read = true where user_id = ${user.id}`;
    const hidden = await build.project(sql, { status: 'private' });
    await update(hidden);
    await update(project, new Date('2026-10-01T00:00:00Z'));
    expect(await sendDue(context, now)).toBe(0);
    const [{ waiting }] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from notifications where user_id = ${user.id} and mail is not null`;
    expect(waiting).toBe(0);
  });
});

it('writes to no address that is missing, unverified or refused by its mail server', async () => {
  const { sql } = database;
  await choose('project_update', 'now');
  for (const change of [
    sql`email_verified = false`,
    sql`email_verified = true, email_refused = now()`,
    sql`email_refused = null, email = null`,
  ]) {
    await update();
    await sql`update users set ${change} where id = ${user.id}`;
    expect(await sendDue(context, now)).toBe(0);
  }
  expect(await sent()).toEqual([]);
  expect(failures).toEqual([]);
});
