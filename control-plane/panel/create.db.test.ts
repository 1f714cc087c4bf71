import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { trialsPerNetwork } from '#db/money/billing/rules.ts';
import { nodeWithRoom } from '#db/testing/billing.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser } from '../testing/clients.ts';
import { testControlPlane } from '../testing/plane.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const wish = (given: object = {}) => ({
  ...{ op_id: randomUUID(), name: 'Valley', plan: 'small', kind: 'local', terms_accepted: true, ...given },
});
const programOf = async (given = {}) => {
  const person = await user(database.sql, given);
  return await browser(plane.url, { token: await token(database.sql, person) });
};

describe('a server that is ordered by a program', () => {
  it('exists with the answer, off, once for each id, where most capacity is', async () => {
    await nodeWithRoom(database.sql, { rooms: 2, region: 'southeast-asia' });
    await nodeWithRoom(database.sql, { rooms: 9, region: 'western-europe' });
    const program = await programOf();
    const asked = wish();
    const [first, second] = await Promise.all([
      program.request('server.create', asked),
      program.request('server.create', asked),
    ]);
    expect(first).toMatchObject({ ok: true, id: expect.any(String) });
    expect(second).toEqual(first);
    const list = await program.request('server.list', {});
    expect(list).toMatchObject({
      servers: [
        {
          id: first.ok && first.id,
          plan: 'small',
          region: 'western-europe',
          power_wanted: 'off',
          ram_mb: 4_096,
        },
      ],
    });
    // start before it has a place is kept
    const start = { server_id: first.ok ? first.id : '', op_id: randomUUID(), action: 'start' } as const;
    expect(await program.request('server.power', start)).toMatchObject({
      ok: true,
      server: { power_wanted: 'on' },
    });
    expect(await program.request('server.delete', { server_id: start.server_id })).toEqual({ ok: true });
    expect(await program.request('server.list', {})).toEqual({
      ok: true,
      servers: [],
      shared: {},
      players: {},
    });
  });

  it('is no trial when its network had too many today', async () => {
    await nodeWithRoom(database.sql, { region: 'central-europe' });
    const tries = async () => await (await programOf()).request('server.create', wish({ plan: 'trial' }));
    for (let count = 0; count < trialsPerNetwork; count++) expect(await tries()).toMatchObject({ ok: true });
    expect(await tries()).toMatchObject({ ok: false, error: 'trial_network_limit' });
  });

  it('is refused with a reason', async () => {
    const program = await programOf();
    const refused = async (given: object) => {
      const answer = await program.request('server.create', wish(given) as never);
      return answer.ok ? null : answer.error;
    };
    expect(await refused({ terms_accepted: false })).toBe('terms_required');
    expect(await refused({ plan: 'gigantic' })).toBe('plan_unknown');
    expect(await refused({ plan: 'custom', ram_gb: 3 })).toBe('plan_ram');
    expect(await refused({ kind: 'other' })).toBe('server_kind_unknown');
    expect(await refused({ region: 'the-moon' })).toBe('region_unknown');
    expect(await refused({ region: 'north-america' })).toBe('out_of_stock');
    const unproven = await programOf({ email_verified: false });
    expect(await unproven.request('server.create', wish())).toMatchObject({
      ok: false,
      error: 'email_unverified',
    });
  });
});
