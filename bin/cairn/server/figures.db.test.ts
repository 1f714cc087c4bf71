import { expect, it } from 'vitest';
import { rentServer, testControlPlane } from '#control/testing/plane.ts';
import { storeMinutes } from '#db/hosting/servers/figures/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const cairn = serverCommand(plane);

it('cairn server figures prints what was used, and every point as JSON', async () => {
  const renter = await rent();
  expect((await cairn(renter, 'figures', renter.id)).out).toBe('none');
  const at = Math.floor(Date.now() / 60_000) * 60_000 - 120_000;
  const minute = { server_id: renter.id, at, cpu: 12.5, cpu_most: 40, ram_mb: 700, disk_mb: 20 };
  await storeMinutes(database.sql, [
    { ...minute, received: 10, sent: 20, tick_ms: null, players: 3, samples: 6 },
  ]);
  expect((await cairn(renter, 'figures', renter.id)).out).toMatch(/cpu +cpu_most[\s\S]*12\.5 +40 +700/);
  const { series } = JSON.parse((await cairn(renter, 'figures', renter.id, '--json')).out);
  expect(series.players.filter((value: number | null) => value !== null)).toEqual([3]);
});

it('cairn server alerts changes what is given and keeps the rest', async () => {
  const renter = await rent();
  const alerts = (...args: string[]) => cairn(renter, 'alerts', ...args);
  await alerts('set', renter.id, 'cpu', '--over', '70', '--for', '3');
  await alerts('set', renter.id, 'disk', '--off');
  await alerts('quiet', renter.id, '22:00-07:30', '--zone', 'Europe/Berlin');
  const shown = JSON.parse((await alerts('show', renter.id, '--json')).out);
  expect(shown).toMatchObject({
    rules: { cpu: { enabled: true, over: 70, minutes: 3 }, disk: { enabled: false, over: 90 } },
    quiet: { from: 1_320, until: 450, zone: 'Europe/Berlin' },
  });
  expect((await alerts('show', renter.id)).out).toContain('quiet hours: 22:00-07:30 Europe/Berlin');
  expect((await alerts('webhook-add', renter.id, 'Pager', 'https://hooks.example.org/x')).out).toMatch(
    /^whsec_/,
  );
  expect((await alerts('test', renter.id)).out).toBe('sent');
  expect((await alerts('history', renter.id)).out).toBe('none');
});

it.each([
  [['set', 'cpu', '--over', '500'], /between 10 and 100/],
  [['set', 'crash_loop', '--over', '5'], /has no bound/],
  [['quiet', '22:00-07:00', '--zone', 'Middle/Earth'], /Middle\/Earth isn’t a known time zone/],
  [['webhook-add', 'Pager', 'http://127.0.0.1/'], /public URL/],
])('cairn server alerts %j is refused', async ([verb, ...rest], words) => {
  const renter = await rent();
  const { code, errors } = await cairn(renter, 'alerts', verb!, renter.id, ...rest);
  expect(code).not.toBe(0);
  expect(errors).toMatch(words);
});
