import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import { type Actor, readerWith } from '#db/platform/people/rules.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { authenticate } from './authenticate.ts';
import { errorResponse } from './error-response.ts';
import { authorize, type Scopes } from './guard.ts';
import { jsonBody } from './json-body.ts';
import { document } from './openapi.ts';
import { ReadyJson } from './ready-json.ts';
import type { Api, ApiEnv, Output, RouteContext, RouteDefinition } from './types.ts';
import { countWritten } from './written-bytes.ts';

type RouteResult<A> = A extends z.ZodType ? z.input<A> : undefined;

/**
 * Adds a route for every caller. A token with the scopes `reads` extends what is visible; any other counts as
 * anonymous.
 */
export function publicRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType | undefined = undefined,
>(
  api: Api,
  definition: RouteDefinition<P, Q, B, A> & {
    reads?: Scope[];
    handle(
      call: RouteContext<P, Q, B> & { actor: Actor | null },
    ): Promise<RouteResult<A> | Response | ReadyJson>;
  },
): void {
  document(api, definition, { reads: definition.reads ?? [] });
  add(api, definition, async (c, call) => {
    const actor = await authenticate(c, call.now).catch(anonymousIfRefused);
    return await definition.handle({ ...call, actor: readerWith(actor, ...(definition.reads ?? [])) });
  });
}

/** Adds a route that needs a signed-in caller whose token carries every scope of `needs`, one at least. */
export function authenticatedRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType | undefined = undefined,
>(
  api: Api,
  definition: RouteDefinition<P, Q, B, A> & {
    needs: Scopes | 'any token';
    handle(call: RouteContext<P, Q, B> & { actor: Actor }): Promise<RouteResult<A> | Response>;
  },
): void {
  document(api, definition, { needs: definition.needs === 'any token' ? [] : definition.needs });
  add(
    api,
    definition,
    async (_c, call, actor) => await definition.handle({ ...call, actor: actor as Actor }),
    (c, now) => authorize(c, definition.needs, now),
  );
}

const anonymousIfRefused = (error: unknown): null => {
  if (error instanceof Refused) return null;
  throw error;
};

function add<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType | undefined>(
  api: Api,
  definition: RouteDefinition<P, Q, B, A>,
  handle: (c: Context<ApiEnv>, call: RouteContext<P, Q, B>, actor: Actor | null) => Promise<unknown>,
  guard?: (c: Context<ApiEnv>, now: Date) => Promise<Actor>,
): void {
  api.on(definition.method.toUpperCase(), definition.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
    const services = c.get('services');
    try {
      const now = services.now();
      const actor = guard ? await guard(c, now) : null;
      let written = 0;
      const received = (bytes: number) => {
        written = bytes;
      };
      const call: RouteContext<P, Q, B> = {
        services,
        sql: services.sql,
        params: parse(definition.params, c.req.param()) as Output<P>,
        query: parse(definition.query, c.req.query()) as Output<Q>,
        body: (definition.body
          ? parse(definition.body, await jsonBody(c.req.raw, services.settings, { received }))
          : undefined) as Output<B>,
        request: c.req.raw,
        incoming: incomingOf(c),
        address: c.get('address'),
        now,
        header: (name, value) => c.header(name, value),
        begin: async <T>(work: (db: Db) => Promise<T>) => (await services.sql.begin(work)) as T,
      };
      if (actor && written > 0) await countWritten(services, actor, written);
      const answer = await handle(c, call, actor);
      // through the context, which adds the common headers
      if (answer instanceof Response) return c.newResponse(answer.body, answer);
      if (answer instanceof ReadyJson) return readyAnswer(c, answer);
      if (!definition.answer) return c.body(null, definition.empty_status ?? 204);
      if (process.env.NODE_ENV !== 'production') definition.answer.parse(answer);
      return jsonAnswer(c, answer);
    } catch (error) {
      return errorResponse(c, error, { create_errors: definition.create_errors ?? false });
    }
  });
}

const incomingOf = (c: Context<ApiEnv>): IncomingMessage | undefined => {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming instanceof IncomingMessage ? incoming : undefined;
};

const readyAnswer = (c: Context<ApiEnv>, { bytes, headers }: ReadyJson): Response =>
  c.body(bytes, 200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  });

/** A JSON response with Content-Length, so that `compressed` can skip small ones. */
export function jsonAnswer(c: Context<ApiEnv>, answer: unknown): Response {
  const text = JSON.stringify(answer);
  return c.body(text, 200, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  });
}

/** Parses with the route's schema; on a mismatch refuses `invalid_input` and names every wrong field. */
export function parse<S extends z.ZodType>(shape: S | undefined, value: unknown): z.output<S> | undefined {
  if (!shape) return undefined;
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues
    .slice(0, 8)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
  const refused = new Refused('invalid_input', { problem });
  refused.cause = parsed.error; // forms say which field is wrong
  throw refused;
}

/** A query value that contains JSON, as `ids=["a","b"]`: parsed, then checked by `shape`. */
export const jsonText = <S extends z.ZodType>(shape: S) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON text' });
        return z.NEVER;
      }
    })
    .pipe(shape);
