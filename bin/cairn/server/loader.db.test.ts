import { describe, expect, it } from 'vitest';
import { ended, madeBackup, ofKind } from '#control/testing/backups.ts';
import { changeBecomes, reportPower } from '#control/testing/changes.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '#control/testing/plane.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);

const cairn = serverCommand(plane);
const loader = (renter: RentedServer, verb: string, ...words: string[]) =>
  cairn(renter, 'loader', verb, renter.id, ...words);

/** A server that runs because its owner started it. */
async function live(): Promise<RentedServer> {
  const renter = await rent();
  const message = { server_id: renter.id, op_id: crypto.randomUUID(), action: 'start' as const };
  await renter.screen.request('server.power', message);
  await running(renter);
  return renter;
}

describe('cairn server loader', () => {
  it('shows what a server is and can be', async () => {
    const renter = await rent();
    const { code, out } = await loader(renter, 'show', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ game_version: '1.16.5', loader: null, change: null });
    expect((await loader(renter, 'show')).out).toMatch(/1\.16\.5[\s\S]+fabric/);
  });

  it('changes it, says what does not fit, and takes it back', async () => {
    const renter = await rent();
    expect(await loader(renter, 'change', '--loader', 'liteloader')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Failed to change the loader: liteloader .*fabric/),
    });
    expect(await loader(renter, 'undo')).toMatchObject({ code: 1 });
    const changed = await loader(renter, 'change', '--loader', 'fabric', '--no-backup', '--wait', '--json');
    expect(JSON.parse(changed.out)).toMatchObject({ kind: 'loader', step: 'done' });
    const undone = await loader(renter, 'undo', '--wait', '--json');
    expect(JSON.parse(undone.out)).toMatchObject({ kind: 'undo', step: 'done' });
    expect(JSON.parse((await loader(renter, 'show', '--json')).out).loader).toBeNull();
  });

  it('waits for every step, and says that the first start failed', async () => {
    const renter = await live();
    expect(await loader(renter, 'change', '--loader', 'paper')).toMatchObject({
      code: 1,
      errors: 'Failed to change the loader: Stop the server first.',
    });
    const waiting = loader(renter, 'change', '--loader', 'paper', '--stop', '--wait');
    await changeBecomes(database.sql, renter, { step: 'stopping' });
    await reportPower(renter, 'stopped');
    await ended(renter, await ofKind(renter, 'backup_create'), 'done', madeBackup());
    await changeBecomes(database.sql, renter, { step: 'starting' });
    await reportPower(renter, 'starting');
    await reportPower(renter, 'crashed');
    const { code, out, errors } = await waiting;
    expect(code).toBe(2);
    expect(out).toContain('loader: - -> paper');
    expect(errors).toContain('crashed at its first start');
  });

  it('ends with the reason of a change that was not made', async () => {
    const renter = await rent();
    const waiting = loader(renter, 'change', '--loader', 'paper', '--wait');
    await ended(renter, await ofKind(renter, 'backup_create'), 'failed', { error: 'disk_full' });
    const { code, errors } = await waiting;
    expect(code).toBe(1);
    expect(errors).toMatch(/Failed to change the loader: /);
  });
});
