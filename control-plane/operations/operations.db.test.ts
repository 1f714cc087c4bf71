import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expireOperations } from '#db/hosting/servers/operations/operations.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const open = async () => {
  const renter = await rentServer(database.sql, plane.url);
  await running(renter);
  await renter.screen.request('server.join', { server_id: renter.id, rooms: ['state'] });
  return renter;
};
const kill = ({ screen, id }: RentedServer, op_id: string) =>
  screen.request('server.power', { server_id: id, op_id, action: 'kill' });
const stateOf = async (id: string) =>
  (await database.sql<{ state: string }[]>`select state from server_operations where id = ${id}`)[0]?.state;

describe('an operation', () => {
  it('sent twice with one id runs once, with the same answer', async () => {
    const renter = await open();
    const op_id = randomUUID();
    const answers = await Promise.all([kill(renter, op_id), kill(renter, op_id)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    await expect.poll(() => stateOf(op_id)).toBe('accepted');
    expect(await kill(renter, op_id)).toMatchObject({ ok: true });
    expect(renter.runner.operations.map((one) => one.op_id)).toEqual([op_id]);

    const restart = randomUUID();
    const once = { server_id: renter.id, op_id: restart, action: 'restart' } as const;
    for (let i = 0; i < 3; i++)
      expect(await renter.screen.request('server.power', once)).toMatchObject({ ok: true });
    await expect.poll(() => renter.runner.specs.get(renter.id)?.restart_seq).toBe(1);
  });

  it('is refused when its id was used for another one', async () => {
    const [one, other] = [await open(), await open()];
    const op_id = randomUUID();
    await kill(one, op_id);
    expect(await kill(other, op_id)).toMatchObject({ ok: false, error: 'operation_mismatch' });
    const start = { server_id: one.id, op_id, action: 'start' } as const;
    expect(await one.screen.request('server.power', start)).toMatchObject({ error: 'operation_mismatch' });
    expect(other.runner.operations).toEqual([]);
  });

  it('waits for an agent that is away, and is sent again until its end is known', async () => {
    const renter = await open();
    const { runner, node, id } = renter;
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    runner.close();
    await expect.poll(() => plane.plane.context.agents.has(node.id)).toBe(false);
    const op_id = randomUUID();
    await kill(renter, op_id);
    expect(await stateOf(op_id)).toBe('waiting');
    const held = { [id]: { generation: 1, hash: '' } };
    const second = await agent(plane.url, shown, held, runner);
    await expect.poll(() => second.operations.map((one) => one.op_id)).toEqual([op_id]);
    await expect.poll(() => stateOf(op_id)).toBe('accepted');
    second.close();
    // its journal knows it: it says so, and tells the end
    const third = await agent(plane.url, shown, held, second);
    await expect.poll(() => third.operations.map((one) => one.op_id)).toEqual([op_id]);
    await third.report('operation.ended', id, { op_id, state: 'interrupted', result: {} });
    expect(await stateOf(op_id)).toBe('interrupted');
  });

  it('that no agent accepted in time is over, unless one did it after all', async () => {
    const renter = await open();
    const { runner, node, id } = renter;
    runner.close();
    await expect.poll(() => plane.plane.context.agents.has(node.id)).toBe(false);
    const [stale, done] = [randomUUID(), randomUUID()];
    await kill(renter, stale);
    await kill(renter, done);
    const { sql } = database;
    expect(await expireOperations(sql, new Date())).toBe(0);
    expect(await expireOperations(sql, new Date(Date.now() + 61_000))).toBe(2);
    expect([await stateOf(stale), await stateOf(done)]).toEqual(['expired', 'expired']);
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const back = await agent(plane.url, shown, { [id]: { generation: 1, hash: '' } }, runner);
    await back.report('operation.ended', id, { op_id: done, state: 'done', result: {} });
    expect([await stateOf(stale), await stateOf(done)]).toEqual(['expired', 'done']);
    expect(back.operations).toEqual([]);
  });

  it('that the agent refuses ends with its answer', async () => {
    const renter = await open();
    const ends = { expired: 'expired', invalid: 'failed', unknown_kind: 'failed' } as const;
    for (const [status, state] of Object.entries(ends)) {
      renter.runner.answerOperation = () => ({ status: status as keyof typeof ends });
      const op_id = randomUUID();
      await kill(renter, op_id);
      await expect.poll(() => stateOf(op_id)).toBe(state);
    }
  });
});

describe('power', () => {
  it('that is not possible now is refused with a reason', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { screen, id } = renter;
    const ask = (action: 'start' | 'stop' | 'restart' | 'kill') =>
      screen.request('server.power', { server_id: id, op_id: randomUUID(), action });
    expect(await ask('kill')).toMatchObject({ ok: false, error: 'server_not_running' });
    await renter.runner.report('server.broken', id, { step: 'disk_full', error: 'no room', generation: 1 });
    expect(await ask('restart')).toMatchObject({
      error: 'server_broken',
      description: expect.stringContaining('disk_full'),
    });
  });

  it('starts a process again that ended though it should run', async () => {
    const renter = await open();
    const { screen, id, runner } = renter;
    const start = () =>
      screen.request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
    await start();
    await expect.poll(() => runner.specs.get(id)).toMatchObject({ power: 'on', restart_seq: 0 });
    await running(renter);
    await start();
    await running(renter, 'two');
    expect(runner.specs.get(id)).toMatchObject({ generation: 2, restart_seq: 0 });
    await runner.report('server.power', id, {
      ...{
        power: 'crashed',
        generation: 2,
        epoch: 'two',
        started_at: null,
        exit_code: 1,
        out_of_memory: false,
      },
      ...{ last_lines: [], crash_loop: true, duration_s: null },
    });
    await start();
    await expect
      .poll(() => runner.specs.get(id))
      .toMatchObject({ power: 'on', generation: 3, restart_seq: 1 });
  });
});
