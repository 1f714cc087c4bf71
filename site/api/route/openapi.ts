import { z } from 'zod';
import type { Scope } from '#db/people/rules.ts';
import type { Api, RouteDefinition } from './types.ts';

const errorShape = z
  .object({
    error: z.string(),
    description: z.string(),
    details: z.looseObject({ code: z.string() }).optional(),
  })
  .meta({ id: 'Error' });

/** Adds a route to the OpenAPI document of `api`, with the scopes its token needs. */
export function document<P, Q, B, A>(
  api: Api,
  definition: RouteDefinition<P, Q, B, A>,
  needs: Scope[],
): void {
  const {
    method,
    path,
    summary,
    tag,
    params,
    query,
    body,
    multipart,
    raw,
    answer,
    empty_status = 204,
  } = definition;
  const content = multipart
    ? { 'multipart/form-data': { schema: z.object({ data: multipart }).loose() } }
    : raw
      ? Object.fromEntries(raw.map((type) => [type, { schema: z.string().meta({ format: 'binary' }) }]))
      : body
        ? { 'application/json': { schema: body as never } }
        : undefined;
  api.openAPIRegistry.registerPath({
    method,
    path,
    summary,
    tags: [tag],
    ...(needs.length > 0 ? { security: [{ token: needs }] } : {}),
    request: {
      ...(params ? { params: params as never } : {}),
      ...(query ? { query: query as never } : {}),
      ...(content ? { body: { content } } : {}),
    },
    responses: {
      ...(answer
        ? { 200: { description: 'Done', content: { 'application/json': { schema: answer as never } } } }
        : { [empty_status]: { description: 'Done, no content' } }),
      default: { description: 'Refused', content: { 'application/json': { schema: errorShape } } },
    },
  });
}
