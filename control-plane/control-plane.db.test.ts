import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { rentServer, testControlPlane } from './testing/plane.ts';
import { powerReport } from './testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

describe('a control plane', () => {
  it('takes a server from its order to running and back, as its owner sees it', async () => {
    const { runner, id, screen } = await rentServer(database.sql, plane.url);
    const joined = await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    expect(joined).toMatchObject({ ok: true, server: { id, state: 'stopped', lifecycle: 'ready' } });

    const started = await screen.request('server.power', {
      server_id: id,
      op_id: randomUUID(),
      action: 'start',
    });
    expect(started).toMatchObject({ ok: true, server: { power_wanted: 'on' } });
    await expect.poll(() => runner.specs.get(id)).toMatchObject({ power: 'on', generation: 2 });
    await runner.report('server.power', id, powerReport('starting', { generation: 2, epoch: 'one' }));
    await runner.report('server.power', id, powerReport('running', { generation: 2, epoch: 'one' }));
    await expect
      .poll(() => screen.received.state.at(-1)?.server)
      .toMatchObject({ state: 'running', epoch: 'one' });

    runner.consoles.set(id, { epoch: 'one', lines: [] });
    await runner.print(id, ['Done (1.2s)!', 'a player joined']);
    await expect
      .poll(() => screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text)))
      .toEqual(['Done (1.2s)!', 'a player joined']);
    expect(await screen.request('server.command', { server_id: id, text: 'say hello' })).toEqual({
      ok: true,
    });
    expect(runner.commands).toEqual([{ server_id: id, text: 'say hello' }]);

    const op_id = randomUUID();
    await screen.request('server.power', { server_id: id, op_id, action: 'kill' });
    await expect.poll(() => runner.operations.map(({ op_id: one }) => one)).toEqual([op_id]);
    await expect.poll(() => runner.specs.get(id)?.power).toBe('off');
    await runner.report('operation.ended', id, { op_id, state: 'done', result: {} });
    await runner.report('server.power', id, powerReport('stopped', { generation: 3 }));
    const ended = await database.sql`select kind, state from server_operations where id = ${op_id}`;
    expect(ended).toEqual([{ kind: 'kill', state: 'done' }]);
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('stopped');
  });
});
