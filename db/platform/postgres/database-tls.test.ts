import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { signingCertificate, signingKey } from '../../testing/paypal/keys.ts';
import { dedicatedClient, endClient } from './dedicated-client.ts';
import { connect } from './sql.ts';

/** A Postgres that speaks TLS with a certificate that nobody trusts; which names and what it was asked for. */
async function untrusted() {
  const context = createSecureContext({ key: signingKey, cert: signingCertificate });
  const names: string[] = [];
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, {
        isServer: true,
        secureContext: context,
        SNICallback: (name, done) => {
          names.push(name);
          done(null, context);
        },
      });
      secure.on('error', () => {});
      secure.on('data', (bytes) => asked.push(bytes.toString('latin1')));
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { names, asked, address: `postgres://app:password@localhost:${port}/cairn?sslmode=verify-full` };
}

let server: Awaited<ReturnType<typeof untrusted>>;
const pool = () => {
  const sql = connect({ address: server.address, max: 1, statement_timeout_ms: 1_000 });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
};
const times = { name: 'test', connect_timeout_ms: 5_000, query_timeout_ms: 5_000 };

test('the pool checks the certificate of the server by its name, and says nothing to another one', async () => {
  server = await untrusted();
  await expect(pool()`select 1`).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect([server.names[0], server.asked]).toEqual(['localhost', []]);
});

test('so does a connection beside the pool', async () => {
  server = await untrusted();
  const client = dedicatedClient(pool(), times);
  client.on('error', () => {});
  onTestFinished(() => endClient(client));
  await expect(client.connect()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect([server.names[0], server.asked]).toEqual(['localhost', []]);
});
