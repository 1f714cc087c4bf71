import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { purger } from './purge.ts';

test('a purge goes to the address of the operator only, not to where that leads', async () => {
  const asked: string[] = [];
  const cdn = createServer((req, res) => {
    asked.push(req.url!);
    res.writeHead(req.url === '/purge' ? 307 : 200, { location: '/elsewhere' }).end();
  });
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  onTestFinished(() => void cdn.close());
  const { port } = cdn.address() as AddressInfo;
  purger(`http://127.0.0.1:${port}/purge`, pino({ level: 'silent' }))({ tags: ['project:a'] });
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1), { timeout: 10_000 });
  expect(new Set(asked)).toEqual(new Set(['/purge']));
});
