import { type RefusalCode, refusals } from '#db/platform/errors.ts';
import { errorShape } from '../platform/route/openapi.ts';
import {
  type BodySchema,
  describeFields,
  describeParameter,
  headerParameters,
  type Parameter,
} from '../platform/route/parameters.ts';
import { byStatus, refusalsOf } from '../platform/route/refusals.ts';
import type { Api } from '../platform/route/types.ts';
import { version } from './root.ts';

/** Whether a refusal is about something that was there: of status 410, where clients understand it. */
const isGone = (code: RefusalCode): boolean => refusals[code][0] === 410;

/** The OpenAPI 3.1 document of one version. */
export type ApiDocument = ReturnType<Api['getOpenAPI31Document']>;

/**
 * Serves `/openapi.json` below `api`: an OpenAPI 3.1 document built once from the schemas that the routes parse with.
 * `prefix` is where `api` is mounted.
 */
export function openapi(api: Api, prefix: string, siteUrl: string): void {
  let text: string | undefined;
  api.get('/openapi.json', (c) => {
    text ??= JSON.stringify(documentOf(api, prefix, siteUrl));
    return c.body(text, 200, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    });
  });
}

const token =
  'A personal access token (`mrp_...`), a session token (`mra_...`) or a token of an app (`mro_...`), alone or after `Bearer `.';
const about =
  'A refusal is JSON: `error` is its kind, `details.code` the reason and `description` a text for people. Every answer has ' +
  '`x-ratelimit-limit`, `x-ratelimit-remaining` and `x-ratelimit-reset` (seconds); one of status 429 or 503 also has ' +
  '`retry-after`. An operation whose security names no scope needs any token; `{}` beside others means that it also answers ' +
  'without. ';

/** The document of `api`, which is mounted at `prefix` of the site at `siteUrl`. */
export function documentOf(api: Api, prefix: string, siteUrl: string): ApiDocument {
  api.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: token,
  });
  api.openAPIRegistry.register('Error', errorShape);
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `Cairn API ${prefix.slice(1)}`,
      version,
      description: `${about}${prefix === '/v2' ? 'Answers of status 404 have no body, except for a version that was deleted. ' : ''}Reference: ${siteUrl}/docs/api`,
    },
    externalDocs: { description: 'The reference for people', url: `${siteUrl}/docs/api` },
    servers: [{ url: `${siteUrl}${prefix}` }],
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      for (const parameter of operation.parameters ?? []) describeParameter(path, parameter);
      const headers = headerParameters(method, path);
      if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers];
      const json = operation.requestBody?.content['application/json'];
      if (json?.schema) describeFields(path, json.schema);
      const codes = refusalsOf(`${method.toUpperCase()} ${prefix}${path}`, operation);
      for (const { status, codes: some } of byStatus(codes, prefix))
        operation.responses[status] = refusal(some, prefix === '/v2' && status === 404 && !some.some(isGone));
    }
  }
  document.tags = [...tagsOf(document)].map((name) => ({ name }));
  return document;
}

interface Operation {
  tags: string[];
  security?: Array<Record<string, string[]>>;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: BodySchema } | undefined> };
  responses: Record<string, unknown>;
}

const refusal = (codes: readonly string[], isEmpty: boolean) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  'x-refusals': codes,
  ...(isEmpty ? {} : { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }),
});

const tagsOf = (document: ApiDocument): Set<string> =>
  new Set(
    Object.values(document.paths ?? {}).flatMap((item) =>
      Object.values(item as Record<string, Operation>).flatMap(({ tags }) => tags),
    ),
  );
