import { version } from '../root.ts';
import type { Api } from './types.ts';

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

function documentOf(api: Api, prefix: string, siteUrl: string) {
  api.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A personal access token (mrp_...), a session token (mra_...) or an OAuth token (mro_...).',
  });
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `Cairn API ${prefix.slice(1)}`,
      version,
      description:
        'Errors are JSON with `error` and `description`. Every answer has x-ratelimit-limit, -remaining and -reset; an answer of status 429 also has Retry-After.',
    },
    servers: [{ url: `${siteUrl}${prefix}` }],
  });
}
