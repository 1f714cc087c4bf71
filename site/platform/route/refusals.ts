import { type RefusalCode, refusals } from '#db/platform/errors.ts';
import own from './operation-refusals.json' with { type: 'json' };

/** What an operation of the document says about its callers and its input. */
interface Operation {
  security?: ReadonlyArray<Record<string, readonly string[]>>;
  parameters?: readonly unknown[];
  requestBody?: { content: Record<string, unknown> };
}

/** Refusals of every route: the limit of requests, and a database that is away or overloaded. */
const everywhere: readonly RefusalCode[] = ['rate_limited', 'busy', 'database_away'];

/**
 * The codes that an operation can refuse with, sorted: those that its definition implies, and those that its code contains
 * (`operation-refusals.json`, written by `node bin/api-refusals.ts`). `route` is such as `GET /v2/project/{id}`.
 */
export function refusalsOf(route: string, operation: Operation): RefusalCode[] {
  const codes = new Set<RefusalCode>(everywhere);
  const add = (...more: RefusalCode[]) => {
    for (const code of more) codes.add(code);
  };
  const needs = operation.security?.length === 1 ? operation.security[0]?.token : undefined;
  if (needs) add('authentication_required', 'token_invalid', 'token_kind_unknown');
  if (needs && needs.length > 0) add('scope_missing');
  const { requestBody } = operation;
  if (requestBody || operation.parameters) add('invalid_input');
  if (requestBody) add('body_too_large', 'upload_incomplete', 'upload_too_slow');
  add(...((own as Record<string, readonly string[]>)[route] ?? []).filter(isCode));
  return [...codes].sort();
}

const isCode = (code: string): code is RefusalCode => code in refusals;

/**
 * The status that a refusal has at a path of the API. Clients of v2 read 410 as an API version that is no more: there, what is
 * gone is 404.
 */
export const statusAt = (path: string, status: number): number =>
  status === 410 && /^\/v2(\/|$)/.test(path) ? 404 : status;

/** The codes by the status that they are answered with below `prefix`, the statuses ascending. */
export function byStatus(
  codes: readonly RefusalCode[],
  prefix: string,
): Array<{ status: number; codes: RefusalCode[] }> {
  const statusOf = (code: RefusalCode) => statusAt(prefix, refusals[code][0]);
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b);
  return statuses.map((status) => ({ status, codes: codes.filter((code) => statusOf(code) === status) }));
}
