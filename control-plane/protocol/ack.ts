import type { z } from 'zod';

/** What a request is answered: its result, or a refusal of `db/platform/errors.ts` by its code with text for people. */
export type Ack<T extends object = Record<never, never>> =
  | ({ ok: true } & T)
  | {
      ok: false;
      error: string;
      /** The HTTP status of the refusal; 500 for a bug. */
      status: number;
      description: string;
      /** When the same message may be sent again, where waiting is all that is needed. */
      retry_after_ms?: number;
      /** What can be done about it on the site (`content/refusal-steps.ts`). */
      step?: { text: string; to: string };
    };

/** Most bytes of one message. Source: hosting §5.2. */
export const max_message_bytes = 1_000_000;

/** Which bound of `sockets/limits.ts` a request counts against. */
export type RateLimit = 'commands' | 'joins' | 'calls' | 'uploads';

/** One request of a client: the shapes of message and answer, and its rate limit. */
export interface RequestDefinition<K extends string = string> {
  input: z.ZodType;
  output: z.ZodObject;
  limit: RateLimit;
  /**
   * The kind of agent operation that answers it (`agent.ts`): it needs no handler. The message holds `server_id`, `op_id`
   * and the operation's arguments; the answer is the operation's result.
   */
  operation?: K;
  /** What a request that the database answers does (`stored.ts`): it needs no handler. */
  write?(call: never, message: never): Promise<unknown>;
  answer?(call: never, message: never, written: never): unknown;
  /**
   * Part of the answer comes from the server's agent: a plane that has not got it asks the one that has, over their link
   * (`plane.ts`). Without this every plane answers from Postgres, and so does an operation.
   */
  answered_by?: 'agent';
}
/** Every request of clients. `K` are the kinds of operations. */
export type RequestMap<K extends string = string> = Record<string, RequestDefinition<K>>;

/** What a client sends in a request of this definition. */
type RequestMessage<D extends RequestDefinition> = z.input<D['input']>;
/** An empty shape is a record of nothing for zod: as a part of an answer it must not forbid `ok`. */
type Fields<T> = string extends keyof T ? Record<never, never> : T;
/** What a client gets back. */
type RequestAck<D extends RequestDefinition> = Ack<Fields<z.output<D['output']>>>;

/** The requests of a map as Socket.IO's typed client has them. */
export type ClientEvents<M extends RequestMap> = {
  [E in keyof M]: (message: RequestMessage<M[E]>, ack: (answer: RequestAck<M[E]>) => void) => void;
};

/**
 * A handler for every request of a map that neither an operation nor the database answers. `C` is the connection that the request
 * came over.
 */
export type Handlers<M extends RequestMap, C> = {
  [E in keyof M as M[E] extends { operation: string } | { answer: (...args: never[]) => unknown }
    ? never
    : E]: (connection: C, message: z.output<M[E]['input']>) => Promise<z.input<M[E]['output']>>;
};
