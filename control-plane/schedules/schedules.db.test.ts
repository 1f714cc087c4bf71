import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunView, ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { project, version } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { runSchedulesJob } from '../jobs/schedules.ts';
import { settleServersJob } from '../jobs/settle-servers.ts';
import { ended, eventsOf, madeBackup, ofKind } from '../testing/backups.ts';
import { browser } from '../testing/clients.ts';
import { type RentedServer, rentServer, running, testTwoPlanes } from '../testing/plane.ts';
import { powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);

const daily: ScheduleInput = {
  ...{ name: 'Daily', cron: '0 4 * * *', timezone: 'Europe/Berlin', enabled: true },
  ...{ only_when_empty: false, only_when_running: false, on_failure: 'stop' },
  steps: [{ kind: 'command', text: 'say hello' }],
};

async function add({ screen, id }: RentedServer, given: Partial<ScheduleInput> = {}): Promise<ScheduleView> {
  const answer = await screen.request('schedules.add', { server_id: id, schedule: { ...daily, ...given } });
  if (!answer.ok) throw new Error(`${answer.error}: ${answer.description}`);
  return answer.schedule;
}
const run = ({ screen, id: server_id }: RentedServer, { id: schedule_id }: ScheduleView) =>
  screen.request('schedules.run', { server_id, schedule_id, op_id: randomUUID() });
async function newest({ screen, id }: RentedServer): Promise<RunView | null> {
  const answer = await screen.request('schedules.list', { server_id: id });
  if (!answer.ok) throw new Error(answer.description);
  return answer.schedules[0]!.last_run;
}
const states = async (renter: RentedServer) =>
  (await newest(renter))?.steps.map(({ state, reason }) => reason?.code ?? state);
/** Waits until the newest run has these fields. */
const becomes = (renter: RentedServer, fields: object) =>
  expect.poll(() => newest(renter), { timeout: 20_000 }).toMatchObject(fields);
const makeDue = ({ id }: ScheduleView) =>
  database.sql`update server_schedules set next_run = now() - interval '1 second' where id = ${id}`;
/** The job of every plane, at once. */
const runJobs = () =>
  Promise.all([here, there].map(({ plane }) => runSchedulesJob.run(plane.context as never, {})));

describe('a schedule', () => {
  it('does its steps in order, by whatever plane, and is seen live', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    const { runner, id, key } = renter;
    const screen = await browser(there.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'tasks'] });
    const schedule = await add(renter, {
      steps: [
        { kind: 'command', text: 'say restart' },
        { kind: 'wait', seconds: 1 },
        { kind: 'power', action: 'restart' },
        { kind: 'backup' },
        { kind: 'power', action: 'stop' },
        { kind: 'power', action: 'start' },
      ],
    });
    expect(await run(renter, schedule)).toMatchObject({
      ok: true,
      run: { trigger: 'hand', outcome: 'running' },
    });
    await expect.poll(() => runner.commands).toEqual([{ server_id: id, text: 'say restart' }]);
    await expect.poll(() => runner.specs.get(id)?.restart_seq, { timeout: 20_000 }).toBe(1);
    expect(await states(renter)).toEqual(['done', 'done', 'running', 'waiting', 'waiting', 'waiting']);
    await runner.report('server.power', id, powerReport('stopped'));
    await running(renter, 'two');
    const operation = await ofKind(renter, 'backup_create');
    await ended(renter, operation, 'done', madeBackup());
    await expect.poll(() => runner.specs.get(id)?.power, { timeout: 20_000 }).toBe('off');
    await runner.report('server.power', id, powerReport('stopped'));
    await expect.poll(() => runner.specs.get(id)?.power, { timeout: 20_000 }).toBe('on');
    await running(renter, 'three');
    await becomes(renter, { outcome: 'done', steps: Array(6).fill({ state: 'done', reason: null }) });
    expect(runner.commands).toHaveLength(1);
    const [backup] = await database.sql`select reason, actor_id from server_backups where server_id = ${id}`;
    expect(backup).toMatchObject({ reason: 'schedule', actor_id: renter.owner.id });
    await expect.poll(() => screen.received.schedules.at(-1)?.schedules[0]?.last_run?.outcome).toBe('done');
    expect(await eventsOf(database.sql, id, 'server.schedule\\_%')).toEqual([
      ...['server.schedule_added', 'server.schedule_run_requested'],
    ]);
  });

  it('runs once when it is due, however many planes there are', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    await makeDue(await add(renter));
    const counts = await runJobs();
    expect(counts.filter((one) => one?.begun === 1)).toHaveLength(1);
    await becomes(renter, { outcome: 'done', trigger: 'time' });
    expect(renter.runner.commands).toHaveLength(1);
    expect(await runJobs()).toEqual([undefined, undefined]);
  });

  it('only when nobody plays asks how many do', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    const schedule = await add(renter, { only_when_empty: true });
    const { runner, id } = renter;
    await runner.measured(id, Date.now(), 1);
    await makeDue(schedule);
    await runJobs();
    await becomes(renter, { outcome: 'skipped', reason: { code: 'schedule_players_online' } });
    expect(runner.commands).toEqual([]);
    await runner.measured(id, Date.now() + 1, 0);
    await makeDue(schedule);
    await runJobs();
    await becomes(renter, { outcome: 'done' });
    expect(runner.commands).toHaveLength(1);
  });

  it('says which step failed, and why', async () => {
    const renter = await rentServer(database.sql, here.url);
    const schedule = await add(renter, {
      on_failure: 'continue',
      steps: [{ kind: 'command', text: 'list' }, { kind: 'backup' }, { kind: 'power', action: 'start' }],
    });
    await run(renter, schedule);
    const operation = await ofKind(renter, 'backup_create');
    await ended(renter, operation, 'failed', { error: 'disk_full', retryable: false });
    const { runner, id } = renter;
    await expect.poll(() => runner.specs.get(id)?.power, { timeout: 20_000 }).toBe('on');
    const crash = { exit_code: 1, crash_loop: true };
    await runner.report('server.power', id, powerReport('crashed', crash));
    await becomes(renter, { outcome: 'failed', reason: { code: 'server_not_running' } });
    expect(await states(renter)).toEqual(['server_not_running', 'disk_full', 'schedule_start_failed']);
    expect(await eventsOf(database.sql, id, 'server.schedule_failed')).toEqual(['server.schedule_failed']);
  });

  it('waits for its turn while another backup is made', async () => {
    const renter = await rentServer(database.sql, here.url);
    const { screen, id } = renter;
    await screen.request('backups.create', { server_id: id, op_id: randomUUID() });
    const first = await ofKind(renter, 'backup_create');
    await run(renter, await add(renter, { steps: [{ kind: 'backup' }] }));
    await expect.poll(() => states(renter)).toEqual(['running']);
    await ended(renter, first, 'done', madeBackup());
    const own = ({ op_id }: { op_id: string }) => op_id !== first.op_id;
    await expect.poll(() => renter.runner.operations.some(own), { timeout: 20_000 }).toBe(true);
    await ended(renter, renter.runner.operations.find(own)!, 'done', madeBackup());
    await becomes(renter, { outcome: 'done' });
  });

  it('updates content as a panel does, and tells when there is nothing to update', async () => {
    const renter = await rentServer(database.sql, here.url);
    const { sql } = database;
    await sql`update servers set loader = 'fabric' where id = ${renter.id}`;
    const schedule = await add(renter, { steps: [{ kind: 'update' }] });
    await run(renter, schedule);
    await becomes(renter, {
      outcome: 'done',
      steps: [{ state: 'done', reason: { code: 'content_unchanged' } }],
    });

    const old = Buffer.from('old');
    const sha512 = (content: string | Buffer) => createHash('sha512').update(content).digest('hex');
    const built = await project(sql);
    const publish = (filename: string, content: string | Buffer) =>
      version(sql, built, {
        game_versions: ['1.16.5'],
        files: [{ filename, size: 3, sha512: sha512(content) }],
      });
    await publish('old.jar', old);
    await publish('new.jar', 'new');
    renter.runner.files.files.set('mods/old.jar', old);
    await run(renter, schedule);
    const operation = await ofKind(renter, 'content_apply');
    expect(operation.args).toMatchObject({ add: [{ path: 'mods/new.jar' }], remove: ['mods/old.jar'] });
    const [change] =
      await sql`select actor_id, data->>'kind' as kind from server_tasks where id = ${operation.op_id}`;
    expect(change).toMatchObject({ kind: 'update', actor_id: renter.owner.id });
    await ended(renter, operation, 'done', { added: 1, removed: 1, moved: 0, revision: 'after' });
    await becomes(renter, { outcome: 'done', steps: [{ reason: null }] });
  });

  it('goes on when the plane that was at it has ended', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    await run(
      renter,
      await add(renter, {
        steps: [
          { kind: 'wait', seconds: 600 },
          { kind: 'command', text: 'list' },
        ],
      }),
    );
    await expect.poll(() => states(renter)).toEqual(['running', 'waiting']);
    // its timers are in no plane any more, and nothing told of the end of the wait
    await database.sql`
      update server_tasks set step_until = now(), data = jsonb_set(data, '{results,0,until}', to_jsonb(now()))
      where server_id = ${renter.id}`;
    // the job runs every ten seconds, and a plane that is at another change tries again with the next
    const later = async () => {
      await settleServersJob.run(there.plane.context as never, {});
      return await newest(renter);
    };
    await expect.poll(later, { timeout: 20_000, interval: 500 }).toMatchObject({ outcome: 'done' });
  });

  it('is hidden from others, and refuses what cannot be in the language of the person', async () => {
    const renter = await rentServer(database.sql, here.url);
    const other = await rentServer(database.sql, here.url);
    const asked = { server_id: renter.id, schedule: daily };
    expect(await other.screen.request('schedules.add', asked)).toMatchObject({ error: 'server_not_found' });
    expect(await other.screen.request('schedules.list', { server_id: renter.id })).toMatchObject({
      ok: false,
    });
    const german = await browser(there.url, { token: renter.key, locale: 'de-DE' });
    const seconds = { server_id: renter.id, schedule: { ...daily, cron: '* * * * * *' } };
    expect(await german.request('schedules.add', seconds)).toMatchObject({
      error: 'schedule_cron_seconds',
      description: expect.stringContaining('sechs Felder'),
    });
    const huge = { server_id: renter.id, schedule: { ...daily, name: 'x'.repeat(5_000) } };
    expect(await german.request('schedules.add', huge)).toMatchObject({ error: 'invalid_input' });
  });
});

it('runs on the real clock at the minute it says', async () => {
  const renter = await rentServer(database.sql, here.url);
  await running(renter);
  const schedule = await add(renter, { cron: '* * * * *' });
  // the clock of this plane is ahead, so that the next minute is a moment away; it ticks as any other
  const minute = Date.parse(schedule.next_runs[0]!);
  const ahead_ms = minute - Date.now() - 1_500;
  const now = () => new Date(Date.now() + ahead_ms);
  const tick = () => runSchedulesJob.run({ ...here.plane.context, now } as never, {});
  expect(await tick()).toBeUndefined();
  await expect.poll(tick, { timeout: 10_000 }).toMatchObject({ begun: 1 });
  expect(now().getTime()).toBeGreaterThanOrEqual(minute);
  await becomes(renter, { outcome: 'done', due: new Date(minute).toISOString().replace('.000', '') });
  expect(renter.runner.commands).toHaveLength(1);
});
