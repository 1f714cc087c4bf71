import { beforeEach, expect, it } from 'vitest';
import { recordEvent } from '../../platform/events/write.ts';
import { testDatabase } from '../../testing/database.ts';
import { auditConsumer } from './consumer.ts';
import { auditEntries } from './read.ts';
import { audit_retention_days, purgeAuditLog } from './retention.ts';

const database = testDatabase();
beforeEach(async () => {
  await database.sql`truncate events, event_cursors, audit_log`;
});

const entries = async (filter = {}) => await auditEntries(database.sql, { limit: 50, ...filter });
const catchUp = async () => {
  const { step } = auditConsumer(database.sql);
  while ((await step()) > 0);
};

it('stores actor, action and subject, newest first, and skips events that are not audited', async () => {
  const { sql } = database;
  await sql`insert into users (id, username) values ('User0001', 'ada')`;
  await recordEvent(sql, {
    name: 'project.moved',
    actor_id: 'User0001',
    project_id: 'Proj0001',
    data: { from: 'processing', to: 'approved' },
  });
  await recordEvent(sql, { name: 'project.counted', data: { project_ids: ['Proj0001'] } });
  await recordEvent(sql, { name: 'server.suspended', server_id: 'Serv0001', data: { reason: 'moderated' } });
  await recordEvent(sql, {
    name: 'version.edited',
    actor_id: 'User0001',
    version_id: 'Vers0001',
    project_id: 'Proj0001',
    data: { fields: ['name'] },
  });
  await catchUp();
  expect(await entries()).toMatchObject([
    {
      name: 'version.edited',
      subject_type: 'version',
      subject_id: 'Vers0001',
      data: { fields: ['name'], project_id: 'Proj0001' },
    },
    { name: 'server.suspended', actor_id: null, actor: null, subject_type: 'server', subject_id: 'Serv0001' },
    { name: 'project.moved', actor: 'ada', data: { from: 'processing', to: 'approved' } },
  ]);
  expect(await entries({ subject_type: 'server', subject_id: 'Serv0001' })).toHaveLength(1);
  expect(await entries({ actor_id: 'User0001' })).toHaveLength(2);
  expect(await entries({ since: new Date(Date.now() + 60_000) })).toEqual([]);
});

it('copies an event once, even when a batch is handled again', async () => {
  const { sql } = database;
  await recordEvent(sql, { name: 'node.edited', node_id: 'Node0001' });
  await catchUp();
  await sql`truncate event_cursors`;
  await catchUp();
  expect(await entries()).toHaveLength(1);
});

it('removes entries after the retention', async () => {
  const { sql } = database;
  await recordEvent(sql, { name: 'node.edited', node_id: 'Node0001' });
  await catchUp();
  const at = (await entries())[0]!.at;
  const days = (count: number) => new Date(new Date(at).getTime() + count * 86_400_000);
  expect(await purgeAuditLog(sql, days(audit_retention_days - 1))).toBe(0);
  expect(await purgeAuditLog(sql, days(audit_retention_days + 1))).toBe(1);
});

it('refuses to record an event whose data does not match the catalogue', async () => {
  const wrong = { name: 'project.moved', project_id: 'Proj0001', data: { to: 'approved' } };
  await expect(recordEvent(database.sql, wrong as never)).rejects.toThrow(/from/);
});
