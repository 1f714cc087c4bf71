import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import type { Socket } from 'socket.io';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import type { Handlers, RequestMap } from '../protocol/ack.ts';
import { handleRequests } from './handle.ts';

const requests = {
  'sum.add': {
    input: z.object({ a: z.int(), b: z.int() }),
    output: z.strictObject({ sum: z.int() }),
    limit: 'calls',
  },
} as const satisfies RequestMap;
type SumHandlers = Handlers<typeof requests, { factor: number }>;

const sum: SumHandlers = {
  'sum.add': async ({ factor }, { a, b }) => ({ sum: factor * (a + b) }),
};
/** What a request is answered. */
async function answerOf(handlers: SumHandlers, message: unknown, admit = () => {}): Promise<unknown> {
  const socket = new EventEmitter();
  const options = { log: pino({ level: 'silent' }), locale: 'en-US', admit };
  handleRequests(
    socket as unknown as Socket,
    { requests, handlers, connection: { factor: 2 } },
    () => options,
  );
  return await new Promise((done) => socket.emit('sum.add', message, done));
}

afterEach(() => vi.unstubAllEnvs());

describe('a request of a map', () => {
  it('that is refused for what can be resolved has its next step, about the server of the message', async () => {
    const refuses: SumHandlers = {
      'sum.add': async () => {
        throw new Refused('sftp_off');
      },
    };
    expect(await answerOf(refuses, { a: 1, b: 2, server_id: 'abcd1234' })).toMatchObject({
      error: 'sftp_off',
      step: { text: 'Open file manager', to: '/servers/manage/abcd1234/files' },
    });
    expect(await answerOf(refuses, { a: 1, b: 2 })).not.toHaveProperty('step');
  });

  it('is parsed, handled with its connection, and acknowledged', async () => {
    expect(await answerOf(sum, { a: 1, b: 2 })).toEqual({ ok: true, sum: 6 });
    expect(await answerOf(sum, { a: '1', b: 2 })).toMatchObject({ ok: false, error: 'invalid_input' });
    expect(await answerOf(sum, undefined)).toMatchObject({ ok: false, error: 'invalid_input' });
  });

  it('is refused before it is parsed when there are too many', async () => {
    const admit = () => {
      throw new Refused('too_fast', { retry_after_ms: 50 });
    };
    expect(await answerOf(sum, 'nonsense', admit)).toMatchObject({ error: 'too_fast', retry_after_ms: 50 });
  });

  it('fails on an answer that does not fit its shape, but never in production', async () => {
    const leaking = { 'sum.add': async () => ({ sum: 3, secret: 'x' }) };
    expect(await answerOf(leaking, { a: 1, b: 2 })).toMatchObject({ ok: false, error: 'internal_error' });
    // @ts-expect-error a wrong answer does not compile
    const wrong: SumHandlers = { 'sum.add': async () => ({ total: 3 }) };
    expect(await answerOf(wrong, { a: 1, b: 2 })).toMatchObject({ ok: false, error: 'internal_error' });
    vi.stubEnv('NODE_ENV', 'production');
    expect(await answerOf(leaking, { a: 1, b: 2 })).toMatchObject({ ok: true, sum: 3 });
  });

  it('that has an operation is answered by it', async () => {
    const requests = {
      'sum.run': {
        input: z.object({ a: z.int() }),
        output: z.strictObject({ sum: z.int() }),
        limit: 'calls',
        operation: 'add',
      },
    } as const satisfies RequestMap;
    const socket = new EventEmitter();
    const operate = async (connection: number, operation: string, message: unknown) => {
      expect([operation, message]).toEqual(['add', { a: 1 }]);
      return { sum: connection + 1 };
    };
    handleRequests(socket as unknown as Socket, { requests, handlers: {}, operate, connection: 2 }, () => ({
      log: pino({ level: 'silent' }),
      locale: 'en-US',
      admit: () => {},
    }));
    const answer = await new Promise((done) => socket.emit('sum.run', { a: 1, b: 2 }, done));
    expect(answer).toEqual({ ok: true, sum: 3 });
  });
});
