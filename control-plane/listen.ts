import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import type { z } from 'zod';
import { type MessageKey, messages } from '#content/messages.ts';
import { Refused } from '#db/errors.ts';
import { refusalOf } from '#db/refusal-of.ts';
import type { Answer } from './protocol.ts';

/** What a refused or failed message is answered: a code, and words in the caller's language. */
type NotOk = Extract<Answer, { ok: false }>;

/** A refusal as people are told it; anything else is a bug, logged here once and told without detail. */
export function notOk(error: unknown, locale: string, log: Logger, message: string): NotOk {
  const refused = refusalOf(error);
  if (!refused) {
    log.error({ err: error, message }, 'A message over a socket failed');
    return {
      ok: false,
      error: 'internal_error',
      description: 'Something went wrong on our side. Try again.',
    };
  }
  const values = Object.fromEntries(
    Object.entries(refused.data).map(([key, value]) => [
      key,
      typeof value === 'number' ? value : String(value),
    ]),
  );
  const description = messages(locale).t(`error.${refused.code}` as MessageKey, values);
  const { retry_after_ms } = refused.data;
  return {
    ...{ ok: false, error: refused.code, description },
    ...(typeof retry_after_ms === 'number' ? { retry_after_ms } : {}),
  };
}

export interface Listening {
  log: Logger;
  /** Of the words in refusals. */
  locale: string;
  /** Whether one more message may come; throws `too_fast` otherwise. */
  admit(): void;
}

/**
 * The doorway of sockets: lets a message in if there are not too many, parses it, lets `handle` do it and answers. A
 * `Refused` becomes `{ ok: false, error, description }`. A sender that wants no answer gets none.
 */
export function listen<S extends z.ZodType>(
  socket: Socket,
  name: string,
  shape: S,
  { log, locale, admit }: Listening,
  handle: (message: z.output<S>) => Promise<unknown>,
): void {
  socket.on(name, (...sent: unknown[]) => {
    const answer = sent.at(-1);
    const say = (value: object) => {
      if (typeof answer === 'function') answer(value);
    };
    const run = async () => {
      admit();
      const parsed = shape.safeParse(typeof sent[0] === 'function' ? undefined : sent[0]);
      if (!parsed.success) throw new Refused('invalid_input', { problem: problemOf(parsed.error) });
      const given = await handle(parsed.data);
      return { ok: true, ...(typeof given === 'object' ? given : {}) };
    };
    run().then(say, (error) => say(notOk(error, locale, log, name)));
  });
}

function problemOf({ issues }: z.ZodError): string {
  const [first] = issues;
  const where = first?.path.join('.') ?? '';
  return `${where === '' ? 'the message' : where}: ${first?.message ?? 'does not fit'}`;
}
