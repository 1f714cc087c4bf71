import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import type { z } from 'zod';
import { refusalDescription } from '#content/refusal-description.ts';
import { refusalStep } from '#content/refusal-steps.ts';
import { Refused } from '#db/platform/errors.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { Ack, Handlers, RateLimit, RequestDefinition, RequestMap } from '../protocol/ack.ts';

type ErrorAck = Extract<Ack, { ok: false }>;

/**
 * A refusal as the client gets it, in its language; anything else is a bug, logged here once and sent without detail. `about`:
 * what the message was about, for the address of the next step.
 */
export function errorAck(
  error: unknown,
  locale: string,
  log: Logger,
  message: string,
  about: Readonly<Record<string, unknown>> = {},
): ErrorAck {
  const refused = toRefused(error);
  if (!refused) log.error({ err: error, message }, 'Socket message failed');
  const retry_after_ms = refused?.data.retry_after_ms;
  const step = refusalStep(refused?.code, locale, { ...about, ...refused?.data });
  return {
    ok: false,
    error: refused?.code ?? 'internal_error',
    status: refused?.status ?? 500,
    description: refusalDescription(refused, locale),
    ...(typeof retry_after_ms === 'number' ? { retry_after_ms } : {}),
    ...(step && { step }),
  };
}

export interface HandlerOptions {
  log: Logger;
  /** Language of refusals. */
  locale: string;
  /** Throws `too_fast` when there are too many messages. */
  admit(): void;
  /** Shape of the result, checked everywhere but in production. */
  output?: z.ZodType;
}

/**
 * Handles one kind of message: admits it, parses it, lets `handle` do it and acknowledges. A `Refused` becomes
 * `{ ok: false, error, status, description }`. A sender that asked for no acknowledgement gets none.
 */
export function handleMessage<S extends z.ZodType>(
  socket: Socket,
  name: string,
  shape: S,
  { log, locale, admit, output }: HandlerOptions,
  handle: (message: z.output<S>) => Promise<unknown>,
): void {
  socket.on(name, (...sent: unknown[]) => {
    const ack = sent.at(-1);
    const send = (value: object) => {
      if (typeof ack === 'function') ack(value);
    };
    const run = async () => {
      admit();
      const parsed = shape.safeParse(typeof sent[0] === 'function' ? undefined : sent[0]);
      if (!parsed.success) throw new Refused('invalid_input', { problem: problemOf(parsed.error) });
      const result = (await handle(parsed.data)) ?? {};
      if (process.env.NODE_ENV !== 'production') output?.parse(result);
      return { ok: true, ...result };
    };
    const about = Object(sent[0]) as Record<string, unknown>;
    run().then(send, (error) => send(errorAck(error, locale, log, name, about)));
  });
}

/** What answers the requests of a map on one connection. */
interface Answering<M extends RequestMap, C> {
  requests: M;
  handlers: Handlers<M, C>;
  /** Answers the requests that have an operation. */
  operate?(connection: C, operation: string, message: unknown): Promise<object>;
  /** Answers the requests that the database answers. */
  answerStored?(connection: C, request: RequestDefinition, message: unknown): Promise<object>;
  connection: C;
}

/** Handles every request of a map on one connection. */
export function handleRequests<M extends RequestMap, C>(
  socket: Socket,
  { requests, handlers, operate, answerStored, connection }: Answering<M, C>,
  optionsOf: (limit: RateLimit) => HandlerOptions,
): void {
  const byName = handlers as Record<string, (connection: C, message: unknown) => Promise<object>>;
  for (const [name, request] of Object.entries(requests)) {
    const { input, output, limit, operation, answer } = request;
    handleMessage(socket, name, input, { ...optionsOf(limit), output }, async (message) => {
      if (operation !== undefined) return await operate!(connection, operation, message);
      if (answer) return await answerStored!(connection, request, message);
      return await byName[name]!(connection, message);
    });
  }
}

function problemOf({ issues }: z.ZodError): string {
  const [first] = issues;
  const where = first?.path.join('.') ?? '';
  return `${where === '' ? 'the message' : where}: ${first?.message ?? 'does not fit'}`;
}
