import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { freePortBlock } from './port-block.ts';

test('a block with a port in use is not given', async () => {
  const random = vi.spyOn(Math, 'random');
  random.mockReturnValue(0.5);
  const start = await freePortBlock(20);
  const taken = createServer().listen(start + 7, '127.0.0.1');
  await once(taken, 'listening');
  random.mockReturnValueOnce(0.5).mockReturnValueOnce(0.25);
  const other = await freePortBlock(20);
  random.mockRestore();
  taken.close();
  expect(other).not.toBe(start);
  expect(other % 20).toBe(0);
});
