import { Sleepers } from '#agents/sleep/sleepers.ts';

/** A process that listens in the place of so many sleeping servers: `listeners.ts COUNT PORT`. Says `ready` when it does. */
const [, , count = '0', first_port = '21000'] = process.argv;
const sleepers = new Sleepers();
const motd = '§6The valley sleeps\nJoin to wake it';
for (let n = 0; n < Number(count); n++) {
  const place = { host: '127.0.0.1', port: Number(first_port) + n, shown: { motd, game_version: '1.21.4' } };
  await sleepers.listen(`server${n}`, place, { most: 20, start_ms: 30_000, wake: () => {} });
}
process.send?.('ready');
process.once('disconnect', () => process.exit());
