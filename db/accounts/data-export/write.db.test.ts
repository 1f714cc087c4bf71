import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { notify } from '../../messages/notifications/write.ts';
import { setBillingAddress } from '../../money/billing/invoices/set-billing-address.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { openSession } from '../../platform/people/session.ts';
import { diskStorage } from '../../platform/storage/disk.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { removeOwnAccount } from '../account/remove.ts';
import { beginExport, dataExports, deleteOldExports, makeExport, openExport } from './write.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-export-'));
const storage = diskStorage(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const context = {
  get sql() {
    return database.sql;
  },
  get settings() {
    return database.settings;
  },
  storage,
};
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);
const hour_ms = 3_600_000;

let user: build.BuiltUser;
let actor: Actor;
beforeEach(async () => {
  user = await build.user(database.sql);
  actor = actorFor(user, now);
});
const actorFor = ({ id, username }: { id: string; username: string }, proved: Date): Actor => ({
  ...{ user_id: id, username, role: 'developer', scopes: 'all', interactive: true, email_verified: true },
  proved: proved.toISOString(),
});
const exported = async (id: string, who = actor) =>
  JSON.parse(await text((await openExport(context, who, id, now)).body as never)) as Record<string, unknown>;

it('holds every key, more rows than one page, and neither secrets nor what belongs to others', async () => {
  const { sql } = database;
  const other = await build.user(sql);
  const body = { project_id: '11111111', old_status: 'draft', new_status: 'approved' };
  for (let i = 0; i < 3; i++) await notify(sql, [user.id, other.id], { type: 'status_change', body });
  await sql`
    insert into notifications (id, user_id, type, body)
    select 'N' || lpad(n::text, 6, '0'), ${user.id}, 'status_change', ${sql.json(body)} from generate_series(1, 1200) n`;
  const pinned = await build.project(sql, { owner: user });
  await sql`insert into pins (user_id, project_id, place) values (${user.id}, ${pinned.id}, 0)`;
  const { session } = await openSession(sql, { user_id: user.id, user_agent: null, now });
  await sql`update users set password_hash = 'the-hash-of-a-password' where id = ${user.id}`;
  const address = { name: 'Fen GmbH', address: 'Moorweg 3', tax_id: 'DE811' };
  await sql.begin((tx) => setBillingAddress(tx, actor, address));
  await sql`insert into subscriptions ${sql({
    ...{ id: newId(), user_id: user.id, product: 'plus', plan: 'plus', state: 'cancelled', term: 'monthly' },
    ...{ currency: 'USD', price_minor: 499, anchor: now, period_start: now, period_end: now, created: now },
    ...{ cancel_reason: 'other', cancel_note: 'Moved on' },
  })}`;
  const id = await sql.begin((tx) => beginExport(tx, actor, now));
  const size = await makeExport(context, id, now);
  const data = await exported(id);
  expect(data.user).toMatchObject({ billing_address: address });
  expect(Object.keys(data)).toEqual([
    ...['user', 'collections', 'follows', 'projects', 'orgs', 'notifs', 'notifs_deliveries', 'oauth_clients'],
    ...[
      'oauth_authorizations',
      'pats',
      'payouts',
      'reports',
      'messages',
      'uploaded_images',
      'subscriptions',
      'security_log',
    ],
  ]);
  expect(data.user).toMatchObject({ id: user.id, username: user.username, has_password: true });
  expect(data.user).toMatchObject({ pinned_projects: [pinned.id] });
  expect(data.subscriptions).toMatchObject([{ cancel_reason: 'other', cancel_note: 'Moved on' }]);
  expect(data.notifs).toHaveLength(1203);
  const all = JSON.stringify(data);
  for (const secret of ['the-hash-of-a-password', session!, other.id]) expect(all).not.toContain(secret);
  expect((await dataExports(sql, actor, now))[0]).toMatchObject({ id, state: 'done', size });
});

it('is for its owner only, who proved lately who they are', async () => {
  const { sql } = database;
  const id = await sql.begin((tx) => beginExport(tx, actor, now));
  await makeExport(context, id, now);
  const other = actorFor(await build.user(sql), now);
  await expect(openExport(context, other, id, now)).rejects.toMatchObject({ code: 'not_found' });
  const old = actorFor(user, later(-11 * 60_000));
  await expect(openExport(context, old, id, now)).rejects.toMatchObject({ code: 'proof_required' });
  await expect(sql.begin((tx) => beginExport(tx, old, now))).rejects.toMatchObject({
    code: 'proof_required',
  });
});

it('runs once at a time, even when asked several times at once, and three times a day', async () => {
  const { sql } = database;
  const begin = () => sql.begin((tx) => beginExport(tx, actor, now));
  const asked = await Promise.allSettled([begin(), begin(), begin()]);
  const begun = asked.filter((one) => one.status === 'fulfilled');
  expect(begun).toHaveLength(1);
  await makeExport(context, begun[0]!.value, now);
  for (let i = 0; i < 2; i++) await makeExport(context, await begin(), now);
  await expect(begin()).rejects.toMatchObject({ code: 'exports_too_many' });
});

it('may be made twice, and its file is deleted after seven days', async () => {
  const { sql } = database;
  const id = await sql.begin((tx) => beginExport(tx, actor, now));
  await sql`update data_exports set state = 'running' where id = ${id}`; // of a process that was killed
  const key = `private/exports/${user.id}/${id}.json`;
  await storage.putBytes(key, Buffer.from('half of it'));
  expect(await makeExport(context, id, now)).toBeGreaterThan(10);
  expect(await makeExport(context, id, now)).toBeNull();
  expect(await exported(id)).toMatchObject({ user: { id: user.id } });
  expect(await deleteOldExports(context, later(6 * 24 * hour_ms))).toBe(0);
  expect(await deleteOldExports(context, later(8 * 24 * hour_ms))).toBeGreaterThanOrEqual(1);
  expect(await storage.head(key)).toBeNull();
  expect(await dataExports(sql, actor, now)).toEqual([]);
});

it('goes with its account, whose name has to be typed', async () => {
  const { sql } = database;
  const id = await sql.begin((tx) => beginExport(tx, actor, now));
  await makeExport(context, id, now);
  const remove = (typed: string, who = actor) => sql.begin((tx) => removeOwnAccount(tx, who, typed, now));
  await expect(remove('somebody')).rejects.toMatchObject({ code: 'username_mismatch' });
  const old = actorFor(user, later(-11 * 60_000));
  await expect(remove(user.username, old)).rejects.toMatchObject({ code: 'proof_required' });
  expect(await remove(user.username.toUpperCase())).toContain(`private/exports/${user.id}`);
  expect(await sql`select 1 from data_exports where id = ${id}`).toHaveLength(0);
  expect(await makeExport(context, id, now)).toBeNull();
});
