import { expect, test } from 'vitest';
import { offline } from '../../platform/browser/api-client.ts';
import { requestOn } from './request.ts';
import type { PanelSocket } from './socket.ts';

/** A socket that answers every request so, and what it was sent. */
function socketWith(answer: () => Promise<unknown>, connected = true) {
  const sent: unknown[] = [];
  const emitWithAck = (...message: unknown[]) => {
    sent.push(message);
    return answer();
  };
  return { socket: { connected, timeout: () => ({ emitWithAck }) } as unknown as PanelSocket, sent };
}
const message = { server_id: 'AAAAAAAA', name: 'Old Quarry' };

test('a request gives what it was answered', async () => {
  const { socket, sent } = socketWith(async () => ({ ok: true, server: { name: 'Old Quarry' } }));
  const result = await requestOn(socket, 'server.rename', message);
  expect(result).toMatchObject({ ok: true, data: { server: { name: 'Old Quarry' } } });
  expect(sent).toEqual([['server.rename', message]]);
});

test('a refusal has the shape of those of the API', async () => {
  const refusal = { ok: false, error: 'too_fast', status: 429, description: 'Wait.', retry_after_ms: 50 };
  const { socket } = socketWith(async () => refusal);
  expect(await requestOn(socket, 'server.rename', message)).toEqual({
    ok: false,
    error: { status: 429, code: 'too_fast', description: 'Wait.', details: { retry_after_ms: 50 } },
  });
});

test('without an answer and without a connection it is offline, never an exception', async () => {
  const late = socketWith(() => Promise.reject(new Error('timeout')));
  expect(await requestOn(late.socket, 'server.rename', message)).toEqual(offline);
  const lost = socketWith(async () => ({ ok: true }), false);
  expect(await requestOn(lost.socket, 'server.rename', message)).toEqual(offline);
  expect(lost.sent).toEqual([]);
});
