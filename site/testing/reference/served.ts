import { createApi } from '../../api/app.ts';
import type { AppServices } from '../../platform/context.ts';

/**
 * Every route that the API serves, as `GET /v2/project/:id`; middleware and routes of all methods are left out. The
 * routes are only registered, never called.
 */
export function servedRoutes(services: AppServices): string[] {
  const routes = createApi(services).routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

/** Whether the served route answers the operation of the reference, whatever their parameters are called. */
export function answers(served: string, operation: string): boolean {
  const [method, path = ''] = served.split(' ');
  const [wanted, asked = ''] = operation.split(' ');
  const parts = path.split('/');
  const others = asked.split('/');
  if (method !== wanted || parts.length !== others.length) return false;
  return parts.every((part, at) => {
    const other = others[at] as string;
    return part.startsWith(':') || part.toLowerCase() === other;
  });
}
