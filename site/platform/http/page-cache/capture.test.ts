import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anonymousRequest, capture } from './capture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = () => anonymousRequest({ id: 'k', url: '/mods', language: 'en-US' }, 'https://mods.example');

test('gives what a page wrote', async () => {
  const { status, headers, body } = await capture(request(), (_, res) => {
    res.writeHead(203, { 'x-kind': 'stone' });
    res.end('Stones');
  });
  expect({ status, headers, text: String(body) }).toEqual({
    status: 203,
    headers: [['x-kind', 'stone']],
    text: 'Stones',
  });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('No stones');
    },
  ],
  ['rejects', () => Promise.reject(new Error('No stones'))],
])('waits for nothing after a page that %s', async (_, page) => {
  await expect(capture(request(), page)).rejects.toThrow('No stones');
  // a clock that went on would reject a promise that nobody waits for, which ends the process
  expect(vi.getTimerCount()).toBe(0);
});

test('gives up on a page that never ends', async () => {
  const asked = expect(capture(request(), () => {})).rejects.toThrow('The page /mods never ended');
  await vi.advanceTimersByTimeAsync(30_000);
  await asked;
});
