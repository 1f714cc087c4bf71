import type { Client, errors } from '@opensearch-project/opensearch';
import { Refused } from '../../../platform/errors.ts';
import { invalidFilter } from '../query/limits.ts';

/** An OpenSearch server with its official client. */
export interface Server {
  /** Runs `work`; errors become one line without the server's address and the request. */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** How long a search may take. */
  timeout_ms: number;
  close(): Promise<void>;
}

/** A failed request. `status` 0: no response. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, reason: string) {
    super(`The search server did not do what was asked (${status || 'no answer'}): ${type}: ${reason}`);
    this.name = 'Unanswered';
    this.status = status;
    this.type = type;
  }
}

type ClientErrors = typeof errors;

/** The client's errors contain request and connection, so none of them may reach a log. */
function describeError(error: unknown, { OpenSearchClientError, ResponseError }: ClientErrors): unknown {
  if (!(error instanceof OpenSearchClientError)) return error;
  if (!(error instanceof ResponseError)) return new RequestFailed(0, error.name, error.message);
  const { type, reason, root_cause } = (error.body?.error ?? {}) as Record<string, unknown>;
  const [root] = (root_cause ?? []) as Array<{ type?: string; reason?: string }>;
  return new RequestFailed(error.statusCode, String(root?.type ?? type), String(root?.reason ?? reason));
}

/**
 * The server at `url`, an http(s) URL that may contain credentials. The client is loaded with the first request: it
 * takes 28 MB, which installations without OpenSearch should not spend.
 */
export function openServer(url: string, timeout_ms: number): Server {
  let opened: Promise<{ client: Client; errors: ClientErrors }> | undefined;
  const open = async () => {
    const { Client, errors } = await import('@opensearch-project/opensearch');
    // retry a dead server at once, without a ping first
    return { client: new Client({ node: url, maxRetries: 0, resurrectStrategy: 'optimistic' }), errors };
  };
  return {
    timeout_ms,
    request: async (work) => {
      opened ??= open();
      const { client, errors } = await opened;
      try {
        return await work(client);
      } catch (error) {
        throw describeError(error, errors);
      }
    },
    close: async () => {
      await (await opened)?.client.close();
    },
  };
}

/** Whether the index does not exist, or no longer: a rebuild may just have replaced it. */
export const isMissing = (error: unknown): boolean =>
  error instanceof RequestFailed && error.status === 404 && error.type === 'index_not_found_exception';

/** Reported with status 400 or, by most versions, 500. */
const tooMany = new Set(['too_many_clauses', 'too_many_nested_clauses']);

/** The refusal for a failed search: `busy` (503), or `invalid_input` (400) for a filter that is too long. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof RequestFailed)) return error;
  const { status, type } = error;
  if (tooMany.has(type)) return invalidFilter('filters', 'too many conditions');
  if (status === 0 || status === 429 || status >= 500 || isMissing(error)) return new Refused('busy');
  return error;
}
