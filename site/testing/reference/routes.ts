import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { v3Routes } from './api-v3-routes.ts';
import { internalRoutes } from './internal-routes.ts';
import type { PublicDocument } from './public-document.ts';

/** The public v2 document (CC0). It says what clients were built from; differences to it are in `differences.ts`. */
export const v2Document = parse(
  readFileSync(new URL('./openapi-v2.yaml', import.meta.url), 'utf8'),
) as PublicDocument;

/** Operations beyond the document that clients use. Source: api-v2 §1.1, §6, §7, §10, §12, §13, §14; clients §10. */
const beyond: Record<string, string> = {
  '/': 'GET',
  '/build': 'GET',
  '/v2/version_file/{hash}/download': 'GET',
  '/v2/version_file/project': 'POST',
  '/v2/version_files/update_many': 'POST',
  '/v2/version_files/update_individual': 'POST',
  '/v2/report/{id}': 'DELETE',
  '/v2/user/{id}': 'DELETE',
  '/v2/openapi.json': 'GET',
  '/v3/openapi.json': 'GET',
  '/maven/maven/modrinth/{id}/maven-metadata.xml': 'GET',
  '/maven/maven/modrinth/{id}/{version}/{file}': 'GET',
  '/analytics/view': 'POST',
  '/analytics/playtime': 'POST',
  '/analytics/minecraft-server-play': 'POST',
};

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Paths of the document stand below /v2, except the update checker, which has its own server. */
const mounted = (path: string): string => (path.startsWith('/updates/') ? path : `/v2${path}`);

function documented(): string[] {
  return Object.entries(v2Document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => `${method.toUpperCase()} ${mounted(path).replace(/\|\w+/g, '')}`),
  );
}

const listed = (routes: Record<string, string>): string[] =>
  Object.entries(routes).flatMap(([path, list]) => list.split(' ').map((method) => `${method} ${path}`));

/** Every operation that the reference serves, as `GET /v2/project/{id}`. */
export const referenceOperations = (): string[] => [
  ...documented(),
  ...listed(beyond),
  ...listed(v3Routes),
  ...listed(internalRoutes),
];
