import type { IncomingMessage } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';
import type { AppServices } from '../context.ts';

/** The Hono app of the API, with what its middleware sets on every request. */
export type Api = OpenAPIHono<ApiEnv>;
export interface ApiEnv {
  Variables: { services: AppServices; request_id: string; address: string };
}

/** The parsed type of a schema; undefined without one. */
export type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One route, declared once: what it parses, who may call it, what it returns. The OpenAPI document derives from it. */
export interface RouteDefinition<P, Q, B, A> {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** OpenAPI syntax: `/project/{id}`. */
  path: string;
  summary: string;
  tag: string;
  /** Create routes answer `invalid_input` and `unauthorized` where the others answer `request_error`, `auth_error`. */
  create_errors?: boolean;
  params?: P;
  /** Schema of the query; of a key that repeats, the first value counts. */
  query?: Q;
  /** Schema of a JSON body; of a key that repeats, the last value counts. */
  body?: B;
  /** Schema of the `data` part, for the document only: the route reads the parts itself (`receive` in upload.ts). */
  multipart?: z.ZodType;
  /** Content types of a raw body (images), for the document only. */
  raw?: string[];
  /** Schema of a body that is an HTML form, for the document only: the route reads it itself. */
  form?: z.ZodType;
  /** Whether the answer leads elsewhere (307, with the address in `answer` too), for the document only. */
  redirects?: boolean;
  /** Schema of the response body; without one the response is 204, or `empty_status`. */
  answer?: A;
  /** The few routes that answer 200 without a body. Source: api-v3 §1. */
  empty_status?: 200;
}

export interface RouteContext<P, Q, B> {
  services: AppServices;
  sql: Pool;
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
  request: Request;
  /** What `request` was made of, when it came over a connection. */
  incoming: IncomingMessage | undefined;
  /** The client's address, as far as TRUST_PROXY allows to believe it. */
  address: string;
  now: Date;
  /** Sets a header of the answer. */
  header(name: string, value: string): void;
  /** Runs `work` in one transaction: the only place where the API opens one. */
  begin<T>(work: (db: Db) => Promise<T>): Promise<T>;
}
