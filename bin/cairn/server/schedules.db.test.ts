import { expect, it } from 'vitest';
import { rentServer, running, testControlPlane } from '#control/testing/plane.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const cairn = serverCommand(plane);
const restart = [
  '--name',
  'Nightly',
  '--cron',
  '0 4 * * *',
  '--timezone',
  'Europe/Berlin',
  '--step',
  'power restart',
];

it('adds, shows, changes, runs and removes a schedule', async () => {
  const renter = await rent();
  await running(renter);
  const schedule = (...words: string[]) => cairn(renter, 'schedule', words[0]!, renter.id, ...words.slice(1));
  const { out } = await schedule(
    'add',
    ...restart,
    '--step',
    'wait 5',
    '--step',
    'command say  hi',
    '--only-when-empty',
    '--json',
  );
  expect(JSON.parse(out)).toMatchObject({
    ...{ name: 'Nightly', timezone: 'Europe/Berlin', only_when_empty: true, enabled: true },
    steps: [
      { kind: 'power', action: 'restart' },
      { kind: 'wait', seconds: 5 },
      { kind: 'command', text: 'say  hi' },
    ],
  });
  expect((await schedule('show', 'nightly')).out).toMatch(
    /At 04:00, every day \(Europe\/Berlin\)[\s\S]*step 3\s+command say {2}hi/,
  );
  const set = [
    'set',
    'Nightly',
    '--cron',
    '30 5 * * 1',
    '--no-only-when-empty',
    '--step',
    'command list',
    '--json',
  ];
  expect(JSON.parse((await schedule(...set)).out)).toMatchObject({
    ...{
      cron: '30 5 * * 1',
      only_when_empty: false,
      name: 'Nightly',
      steps: [{ kind: 'command' }],
      revision: 2,
    },
  });
  expect((await schedule('set', 'Nightly', '--no-enabled')).out).toMatch(/next\s+off/);
  expect((await schedule('list')).out).toMatch(/Nightly\s+30 5 \* \* 1\s+Europe\/Berlin\s+off/);
  expect((await schedule('run', 'Nightly')).code).toBe(0);
  await expect
    .poll(() => schedule('history', 'Nightly'))
    .toMatchObject({ out: expect.stringContaining('command done') });
  expect((await schedule('remove', 'Nightly')).code).toBe(0);
  expect(JSON.parse((await schedule('list', '--json')).out)).toEqual([]);
  expect(await schedule('show', 'Nightly')).toMatchObject({
    code: 1,
    errors: 'There is no schedule Nightly.',
  });
});

it.each([
  [['--cron', '* * * * * *'], 'six fields'],
  [['--timezone', 'Mars/Base'], 'Mars/Base'],
  [['--cron', '99 * * * *'], 'Field 1'],
  [['--step', 'wait 100000'], '900'],
])('refuses %j and says what to change', async (words, said) => {
  const renter = await rent();
  expect(await cairn(renter, 'schedule', 'add', renter.id, ...restart, ...words)).toMatchObject({
    ...{ code: 1, errors: expect.stringContaining(said) },
  });
});

it('is hidden from others', async () => {
  const [renter, other] = [await rent(), await rent()];
  expect(await cairn(other, 'schedule', 'list', renter.id)).toMatchObject({ code: 1 });
});
