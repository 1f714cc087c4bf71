import type { API } from '@opensearch-project/opensearch';
import { retry } from '../../../platform/runtime/retry.ts';
import { RequestFailed, type Server } from './server.ts';

/** One operation: a header line, and for most a line with the document or change. */
export type Operation = API.Bulk_RequestBody;
export type Item = API.Bulk_ResponseBody['items'][number];

const chunk = 250;
const timeout_ms = 60_000;
/** Number of retries when the server is overloaded. */
const busy_retries = { min_ms: 500, max_ms: 4_000, max_failures: 4 };
const isBusy = (error: Error): boolean => error instanceof RequestFailed && error.status === 429;

/** The failed operations; removing or changing a missing project is not a failure. */
function failureIn(items: Item[]): RequestFailed | null {
  for (const item of items) {
    const one = item.index ?? item.update ?? item.delete;
    if (!one || one.status < 300) continue;
    if (one.status === 404 && (item.delete || one.error?.type === 'document_missing_exception')) continue;
    return new RequestFailed(one.status, one.error?.type ?? 'unknown', one.error?.reason ?? '');
  }
  return null;
}

async function once(server: Server, operations: Operation[], refresh: 'wait_for' | false): Promise<Item[]> {
  const request = { body: operations.flat(), refresh };
  const { body } = await server.request((client) => client.bulk(request, { requestTimeout: timeout_ms }));
  const failure = failureIn(body.items);
  if (failure) throw failure;
  return body.items;
}

/**
 * Sends idempotent operations, some hundred at a time; `wait_for` returns when they are searchable. Retries with
 * delays when the server is overloaded. Throws `Unanswered` when it did not accept all of them.
 */
export async function bulk(
  server: Server,
  operations: Operation[],
  refresh: 'wait_for' | false,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < operations.length; at += chunk) {
    const part = operations.slice(at, at + chunk);
    items.push(...(await retry(() => once(server, part, refresh), { ...busy_retries, isRetryable: isBusy })));
  }
  return items;
}
