import { expect, it } from 'vitest';
import { requestPayout } from '../../money/payouts/request.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { createReport, editReport } from '../reports/write.ts';
import { staffWaiting } from './waiting.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');

it('counts what waits for staff, and not what is decided', async () => {
  const { sql } = database;
  expect(await staffWaiting(sql, now)).toEqual({
    review: 0,
    reports: 0,
    technical: 0,
    takedowns: 0,
    payouts: 0,
  });
  const person = await build.user(sql);
  const actor = build.actorFor(person);
  await build.project(sql, { status: 'processing' });
  const project = await build.project(sql);
  const about = { report_type: 'spam', item_type: 'project', item_id: project.id, body: 'Look' } as const;
  const report = await sql.begin((tx) => createReport(tx, actor, about, now));
  await earn(sql, person.id, 50_000, now);
  const provider = new ScriptedPayouts();
  provider.next = 'in-transit';
  await requestPayout(payoutContext(sql, provider), actor, withdrawal(), now);
  expect(await staffWaiting(sql, now)).toMatchObject({ review: 1, reports: 1, payouts: 0 });
  const later = new Date(now.getTime() + 8 * 86_400_000);
  expect(await staffWaiting(sql, later)).toMatchObject({ payouts: 1 });
  const moderator = build.actorFor(await build.user(sql), { role: 'moderator' });
  await sql.begin((tx) => editReport(tx, moderator, report, { closed: true }, now));
  expect(await staffWaiting(sql, now)).toMatchObject({ reports: 0 });
});
