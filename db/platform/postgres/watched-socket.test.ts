import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './sql.ts';
import { toRefused } from './to-refused.ts';
import { watchedSocket } from './watched-socket.ts';

/** A server that accepts connections and never answers, like a suspended Postgres process. */
async function silent(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('destroys a socket whose server never answers, but not an idle one', async () => {
  const target = { host: ['127.0.0.1'], port: [await silent()] };
  const idle = watchedSocket(500)(target);
  const request = watchedSocket(20)(target);
  onTestFinished(() => void idle.destroy());
  await once(idle, 'connect');
  request.write('select 1');
  await once(request, 'close');
  await setTimeout(600);
  expect([request.destroyed, idle.destroyed]).toEqual([true, false]);
});

test('refuses queries to a server that hangs, however many wait', async () => {
  const sql = connect({
    address: `postgres://app@127.0.0.1:${await silent()}/cairn`,
    max: 2,
    statement_timeout_ms: 1,
  });
  const refused = await Promise.all(
    Array.from({ length: 6 }, () => sql`select 1`.catch((error: unknown) => toRefused(error)?.code)),
  );
  expect(refused).toEqual(Array.from({ length: 6 }, () => 'database_away'));
  await sql.end({ timeout: 0 });
});
