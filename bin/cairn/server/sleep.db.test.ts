import { describe, expect, it, vi } from 'vitest';
import { rentServer, running, testControlPlane } from '#control/testing/plane.ts';
import { powerReport } from '#control/testing/scripted-agent.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const cairn = serverCommand(plane);
const eventsOf = async (id: string) =>
  (
    await database.sql<{ name: string }[]>`
      select name from events where server_id = ${id} and name ~ 'slee|woken' order by id`
  ).map(({ name }) => name);

describe('cairn server sleep', () => {
  it('is switched on, changed and off, and reaches the agent', async () => {
    const renter = await rent();
    const set = async (...words: string[]) =>
      JSON.parse((await cairn(renter, 'sleep', 'set', renter.id, ...words, '--json')).out);
    const spec = () => renter.runner.specs.get(renter.id)?.sleep;
    expect(await set()).toMatchObject({ after_minutes: 15, motd: '' });
    expect(await set('--text', '§6Asleep\\nJoin to wake it')).toMatchObject({ after_minutes: 15 });
    const motd = '§6Asleep\nJoin to wake it';
    expect(await set('--after', '30')).toMatchObject({ after_minutes: 30, motd });
    await vi.waitFor(() => expect(spec()).toEqual({ after_minutes: 30, motd }));
    const before = await database.sql`select generation from servers where id = ${renter.id}`;
    await set('--after', '30');
    expect(await database.sql`select generation from servers where id = ${renter.id}`).toEqual(before);
    expect(await set('--off')).toMatchObject({ after_minutes: null, motd });
    await vi.waitFor(() => expect(spec()).toBeNull());
    expect((await cairn(renter, 'sleep', 'show', renter.id)).out).toContain('never');
    expect(await eventsOf(renter.id)).toHaveLength(4);
  });

  it('says when the agent of the node cannot do it', async () => {
    const renter = await rent();
    expect((await cairn(renter, 'sleep', 'show', renter.id)).out).toContain('too old');
    await database.sql`update nodes set facts = facts || '{"can_sleep": true}' where id = ${renter.node.id}`;
    expect((await cairn(renter, 'sleep', 'show', renter.id)).out).not.toContain('too old');
  });

  it.each([
    [['--after', '4'], '5 to 240'],
    [['--after', '241'], '5 to 240'],
    [['--text', 'a\\nb\\nc'], 'at most 2 lines'],
    [['--text', 'x'.repeat(101)], 'at most 2 lines'],
  ])('refuses %j', async (words, said) => {
    const renter = await rent();
    const { code, errors } = await cairn(renter, 'sleep', 'set', renter.id, ...words);
    expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(said) });
  });

  it('is hidden from others, and needs the right for options', async () => {
    const [renter, other] = [await rent(), await rent()];
    expect((await cairn(other, 'sleep', 'show', renter.id)).code).toBe(1);
    expect((await cairn(other, 'sleep', 'set', renter.id, '--off')).code).toBe(1);
    const let_in = (rights: string[]) => database.sql`
      insert into server_members ${database.sql({ server_id: renter.id, user_id: other.owner.id, role: 'editor', rights, accepted: new Date(), created: new Date() })}
      on conflict (server_id, user_id) do update set rights = excluded.rights`;
    await let_in(['console']);
    expect((await cairn(other, 'sleep', 'show', renter.id)).code).toBe(1);
    await let_in(['options']);
    expect((await cairn(other, 'sleep', 'set', renter.id, '--after', '20')).out).toContain(
      'after 20 minutes',
    );
  });
});

describe('a server that sleeps', () => {
  it('is shown as sleeping until it wakes or is turned off, and leaves events', async () => {
    const renter = await rent();
    const { id, runner, screen } = renter;
    await cairn(renter, 'power', id, 'start');
    await running(renter);
    const shown = async () => {
      const answer = await screen.request('server.show', { server_id: id });
      return answer.ok ? [answer.server.state, answer.server.sleeping] : null;
    };
    await runner.report('server.power', id, powerReport('stopped', { sleeping: true }));
    expect(await shown()).toEqual(['stopped', true]);
    expect((await cairn(renter, 'list')).out).toContain('Sleeping');
    await runner.report('server.power', id, powerReport('stopped', { sleeping: false, woken: true }));
    await runner.report('server.power', id, powerReport('starting'));
    expect(await shown()).toEqual(['starting', false]);
    await runner.report('server.power', id, powerReport('stopped', { sleeping: true }));
    expect(await eventsOf(id)).toEqual(['server.fell_asleep', 'server.woken', 'server.fell_asleep']);
    expect((await cairn(renter, 'power', id, 'stop')).code).toBe(0);
    expect(await shown()).toEqual(['stopped', false]);
    await vi.waitFor(() => expect(runner.specs.get(id)).toMatchObject({ power: 'off' }));
  });

  it('starts when a user asks for it', async () => {
    const renter = await rent();
    const { id, runner } = renter;
    await cairn(renter, 'power', id, 'start');
    await running(renter);
    await runner.report('server.power', id, powerReport('stopped', { sleeping: true }));
    const before = runner.specs.get(id)!.restart_seq;
    expect((await cairn(renter, 'power', id, 'start')).code).toBe(0);
    await vi.waitFor(() =>
      expect(runner.specs.get(id)).toMatchObject({ power: 'on', restart_seq: before + 1 }),
    );
  });
});
