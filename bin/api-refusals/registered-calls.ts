import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OpenAPIHono } from '@hono/zod-openapi';
import { parseSettings } from '#db/platform/runtime/env.ts';
import type { AppServices } from '#site/platform/context.ts';
import { publicApis } from '../../site/api/app.ts';
import { root } from '../install.mjs';
import type { Place } from './reached-codes.ts';

/** Every documented operation of the public API, as `GET /v2/project/{id}`, with the calls that declared it. */
export function registeredCalls(): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const registry = Object.getPrototypeOf(new OpenAPIHono().openAPIRegistry) as {
    registerPath(route: { method: string; path: string }): void;
  };
  const { registerPath } = registry;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  registry.registerPath = function (route) {
    const stack = (new Error().stack ?? '').split('\n');
    const version = stack.map((line) => / at (v[23]) /.exec(line)?.[1]).find(Boolean);
    const operation = `${route.method.toUpperCase()} /${version}${route.path}`;
    found.set(operation, stack.flatMap(declaring));
    return registerPath.call(this, route);
  };
  try {
    publicApis({ settings: parseSettings({}) } as AppServices);
  } finally {
    registry.registerPath = registerPath;
    Error.stackTraceLimit = stackTraceLimit;
  }
  return found;
}

/** A line of a stack trace, whose places are addresses in Node and paths in tests, as a call of the site that declares a route; none for other lines. */
function declaring(line: string): Place[] {
  const [, place = '', row, column] = /[( ]((?:file:|\/)[^()]+?):(\d+):(\d+)\)?$/.exec(line) ?? [];
  if (!place) return [];
  const path = relative(root, place.startsWith('file:') ? fileURLToPath(place) : place);
  if (!path.startsWith('site/') || /^site\/(platform\/route\/|api\/app\.ts|testing\/)/.test(path)) return [];
  return [{ path, line: Number(row), column: Number(column) }];
}
