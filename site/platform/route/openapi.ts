import { z } from '@hono/zod-openapi';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import type { Api, RouteDefinition } from './types.ts';

/** Every refusal. In v2 an answer of status 404 has no body, except for a version that was deleted. */
export const errorShape = z
  .object({
    error: z.string().meta({ description: 'The kind of refusal, the same for many reasons' }),
    description: z.string().meta({ description: 'What is wrong, for people' }),
    details: z
      .looseObject({ code: z.string().meta({ description: 'The reason, for programs' }) })
      .optional()
      .meta({ description: 'The reason and its values; absent in answers of status 500' }),
  })
  .meta({ id: 'Error' });

/** Which token a route needs: scopes that it must carry, or, where anyone may call, those that show more. */
type Access = { needs: readonly Scope[] } | { reads: readonly Scope[] };

/** Adds a route to the OpenAPI document of `api`, with the scopes its token needs. */
export function document<P, Q, B, A>(
  api: Api,
  definition: Omit<RouteDefinition<P, Q, B, A>, 'create_errors'>,
  access: Access,
): void {
  const { method, path, summary, tag, answer, redirects = false, empty_status = 204 } = definition;
  const content = bodyContent(definition);
  const json = answer && { 'application/json': { schema: answer as never } };
  const done = redirects
    ? { 307: { description: 'The address is in the header Location', content: json } }
    : json
      ? { 200: { description: 'Done', content: json } }
      : { [empty_status]: { description: 'Done, no content' } };
  api.openAPIRegistry.registerPath({
    method,
    path,
    operationId: operationId(method, path),
    summary,
    tags: [tag],
    security: securityOf(access),
    request: {
      ...(definition.params ? { params: definition.params as never } : {}),
      ...(definition.query ? { query: definition.query as never } : {}),
      ...(content ? { body: { content, required: true } } : {}),
    },
    responses: done as never,
  });
}

function bodyContent<P, Q, B, A>({ multipart, raw, form, body }: RouteDefinition<P, Q, B, A>) {
  if (multipart) return { 'multipart/form-data': { schema: z.object({ data: multipart }).loose() } };
  if (raw)
    return Object.fromEntries(
      raw.map((type) => [type, { schema: z.string().meta({ format: 'binary' }) as never }]),
    );
  if (form) return { 'application/x-www-form-urlencoded': { schema: form as never } };
  return body ? { 'application/json': { schema: body as never } } : undefined;
}

/** A token with all scopes, or with any; for what anyone may call, also none. */
function securityOf(access: Access): Array<Record<string, string[]>> {
  if ('needs' in access) return [{ token: [...access.needs] }];
  return access.reads.length > 0 ? [{}, { token: [...access.reads] }] : [{}];
}

/** A name for generated clients, unique within a version: `getProjectByIdMembers`. */
const operationId = (method: string, path: string): string =>
  method +
  path
    .split(/[/_-]/)
    .filter(Boolean)
    .map((part) => {
      const name = part.replace(/[{}]/g, '');
      return `${part.startsWith('{') ? 'By' : ''}${name[0]!.toUpperCase()}${name.slice(1)}`;
    })
    .join('');
