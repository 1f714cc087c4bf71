import type { Client, errors } from '@opensearch-project/opensearch';
import { Refused } from '../../errors.ts';
import { invalidFilter } from '../query/limits.ts';

/** A server of OpenSearch, reached by its own client. */
export interface Server {
  /** Runs `work`; what fails is an error of one line, without the address of the server and without what was sent. */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** How long a search may take. */
  timeout_ms: number;
  close(): Promise<void>;
}

/** What a server answered instead of doing what was asked. `status` 0: it did not answer. */
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

/** The client's errors carry request and connection along, so none of them may reach a log. */
function describeError(error: unknown, { OpenSearchClientError, ResponseError }: ClientErrors): unknown {
  if (!(error instanceof OpenSearchClientError)) return error;
  if (!(error instanceof ResponseError)) return new RequestFailed(0, error.name, error.message);
  const { type, reason, root_cause } = (error.body?.error ?? {}) as Record<string, unknown>;
  const [root] = (root_cause ?? []) as Array<{ type?: string; reason?: string }>;
  return new RequestFailed(error.statusCode, String(root?.type ?? type), String(root?.reason ?? reason));
}

/**
 * The server at `url`, an http(s) address that may hold a name and a password. The client is loaded at the first
 * question: it takes 28 MB, which installations without such a server need not spend.
 */
export function openServer(url: string, timeout_ms: number): Server {
  let opened: Promise<{ client: Client; errors: ClientErrors }> | undefined;
  const open = async () => {
    const { Client, errors } = await import('@opensearch-project/opensearch');
    // a server that comes back is asked at once, without a ping before
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

/** Whether the index is not there, or not any more: a rebuild may just have put another in its place. */
export const isMissing = (error: unknown): boolean =>
  error instanceof RequestFailed && error.status === 404 && error.type === 'index_not_found_exception';

/** Told with status 400 or, by most versions, 500. */
const tooMany = new Set(['too_many_clauses', 'too_many_nested_clauses']);

/** What a search says of a server that did not answer it: `busy` (503), or `invalid_input` (400) for too long a filter. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof RequestFailed)) return error;
  const { status, type } = error;
  if (tooMany.has(type)) return invalidFilter('filters', 'too many conditions');
  if (status === 0 || status === 429 || status >= 500 || isMissing(error)) return new Refused('busy');
  return error;
}
