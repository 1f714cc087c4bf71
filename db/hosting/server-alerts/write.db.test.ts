import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../platform/secrets/seal.ts';
import * as build from '../../testing/builders/build.ts';
import { server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { alertsOf } from './read.ts';
import { type AlertRules, defaultRules, type QuietHours } from './rules.ts';
import { beginAlert } from './tell.ts';
import { addAlertWebhook, changeAlerts, changeAlertWebhook } from './write.ts';

/** Who may change the alerts of a server, who is told, and what is refused. */
const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const now = new Date();

async function rented() {
  const owner = await build.user(database.sql);
  return { owner, server_id: await server(database.sql, owner) };
}
const change = (
  user: build.BuiltUser,
  server_id: string,
  rules: Partial<AlertRules> = {},
  quiet: QuietHours | null = null,
) => {
  const message = { server_id, rules: { ...defaultRules, ...rules }, quiet };
  return database.sql.begin((tx) => changeAlerts(tx, build.actorFor(user), message, now));
};

describe('rights', () => {
  it('who sees the server sees its alerts; who has its options changes them and is told', async () => {
    const { sql } = database;
    const { owner, server_id } = await rented();
    const [viewer, editor, stranger] = [await build.user(sql), await build.user(sql), await build.user(sql)];
    const join = (user: { id: string }, rights: string[]) => sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${server_id}, ${user.id}, 'viewer', ${rights}, ${now})`;
    await join(viewer, []);
    await join(editor, ['options']);
    expect((await alertsOf(sql, build.actorFor(viewer), server_id, now)).may_change).toBe(false);
    await expect(change(viewer, server_id)).rejects.toMatchObject({ code: 'server_right_missing' });
    await expect(change(stranger, server_id)).rejects.toMatchObject({ code: 'server_not_found' });
    await change(editor, server_id);
    const input = { server_id, name: 'Pager', address: 'https://hooks.example.org/x' };
    const as = build.actorFor(editor);
    const { alerts } = await sql.begin((tx) => addAlertWebhook(tx, sealer, as, input, now));
    const message = { server_id, webhook_id: alerts.webhooks[0]!.id, to: 'removed' } as const;
    const turn = (user: build.BuiltUser) =>
      sql.begin((tx) => changeAlertWebhook(tx, build.actorFor(user), message, now));
    await expect(turn(viewer)).rejects.toMatchObject({ code: 'server_right_missing' });
    expect((await turn(editor)).webhooks).toEqual([]);
    await sql.begin((tx) => beginAlert(tx, { server_id, kind: 'cpu', value: 99, bound: 95 }, now));
    const told = await sql<{ user_id: string }[]>`
      select user_id from notifications where body ->> 'server_id' = ${server_id}`;
    expect(told.map(({ user_id }) => user_id).sort()).toEqual([owner.id, editor.id].sort());
  });

  it.each([
    [{ cpu: { enabled: true, over: 400, minutes: 5 } }, null, 'alert_rule_invalid'],
    [{}, { from: 0, until: 60, zone: 'Middle/Earth' }, 'time_zone_unknown'],
    [{}, { from: -5, until: 60, zone: 'UTC' }, 'quiet_hours_invalid'],
  ])('refuses %o with %o', async (rules, quiet, code) => {
    const { owner, server_id } = await rented();
    await expect(change(owner, server_id, rules, quiet)).rejects.toMatchObject({ code });
  });

  it.each(['http://hooks.example.org/', 'https://127.0.0.1/', 'https://10.1/'])(
    'refuses a webhook at %s',
    async (address) => {
      const { owner, server_id } = await rented();
      const add = database.sql.begin((tx) =>
        addAlertWebhook(tx, sealer, build.actorFor(owner), { server_id, name: 'x', address }, now),
      );
      await expect(add).rejects.toMatchObject({ code: 'webhook_address' });
    },
  );
});
