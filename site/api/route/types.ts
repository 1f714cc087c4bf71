import type { OpenAPIHono } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { Db, Pool } from '#db/sql.ts';
import type { AppServices } from '../../context.ts';

/** The Hono app of the API, with what its middleware sets on every request. */
export type Api = OpenAPIHono<ApiEnv>;
export interface ApiEnv {
  Variables: { services: AppServices; request_id: string; address: string };
}

/** What a shape parses to; undefined without one. */
export type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One route, declared once: what it parses, who may call it, what it returns. The OpenAPI document derives from it. */
export interface RouteDefinition<P, Q, B, A> {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** OpenAPI style: `/project/{id}`. */
  path: string;
  summary: string;
  tag: string;
  /** Create handlers answer `invalid_input` and `unauthorized` where the others say `request_error`, `auth_error`. */
  create_errors?: boolean;
  params?: P;
  query?: Q;
  /** Shape of a JSON body. */
  body?: B;
  /** Shape of the `data` part, for the document only: the route reads its parts itself (`receive` in upload.ts). */
  multipart?: z.ZodType;
  /** Content types of a raw body (images), for the document only. */
  raw?: string[];
  /** Shape of the answer; without one the answer is 204. */
  answer?: A;
}

export interface RouteContext<P, Q, B> {
  services: AppServices;
  sql: Pool;
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
  request: Request;
  /** The caller's address, as TRUST_PROXY allows to believe it. */
  address: string;
  now: Date;
  /** One transaction: the only place where the API opens one. */
  begin<T>(work: (db: Db) => Promise<T>): Promise<T>;
}
