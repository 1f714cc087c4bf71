import { expect, test } from 'vitest';
import { mailPurpose } from '../../messages/mail/queue.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { setVenmoHandle } from './details.ts';
import { requestPayout } from './request.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');

async function creator() {
  const { sql } = database;
  const person = await user(sql);
  await earn(sql, person.id, 50_000, now);
  const context = payoutContext(sql, new ScriptedPayouts());
  const { sealer } = context.mailing;
  const mails = async () =>
    (
      await sql`select id, data from mails where user_id = ${person.id} and template = 'payout_address' order by created, id`
    ).map(({ id, data }) => JSON.parse(sealer.open(data, mailPurpose(id))!));
  return { person, context, mails, actor: actorFor(person) };
}

test('a new payout address is told by mail, one that money went to before is not', async () => {
  const { actor, context, mails } = await creator();
  await requestPayout(context, actor, withdrawal(), now);
  expect(await mails()).toMatchObject([{ method: 'paypal', address: 'ada@example.org' }]);
  await requestPayout(context, actor, withdrawal(), now);
  expect(await mails()).toHaveLength(1);
  const thief = withdrawal({ address: 'thief@example.org' });
  await expect(
    requestPayout(context, { ...actor, proved: '2026-11-27T01:00:00Z' }, thief, now),
  ).rejects.toMatchObject({
    code: 'proof_required',
  });
  expect(await mails()).toHaveLength(1);
  await requestPayout(context, actor, thief, new Date(now.getTime() + 1000));
  expect(await mails()).toMatchObject([{}, { address: 'thief@example.org' }]);
});

test('so is another handle of Venmo', async () => {
  const { person, actor, context, mails } = await creator();
  const set = (typed: string | null) =>
    database.sql.begin((tx) =>
      setVenmoHandle(tx, context.mailing, actor, { user_id: person.id, typed }, now),
    );
  await set('@ada');
  await set('ada');
  await set(null);
  expect(await mails()).toMatchObject([{ method: 'venmo', address: '@ada' }]);
});
