import fc from 'fast-check';
import { refusals } from '#db/platform/errors.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { TestApi } from '../api.ts';
import { people, world } from '../conformance/world.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type FuzzedRequest, requestsOf } from './requests.ts';

interface Options {
  /** Requests in all; each operation gets its share. */
  runs: number;
  /** The same seed sends the same requests. */
  seed: number;
  /** No answer takes longer. */
  patience_ms: number;
}

/** Operations that share one world: what some of them delete is there again for the next ones. */
const per_world = 8;

/**
 * Sends generated requests to every operation of both OpenAPI documents and gives what is wrong: answers of status 5xx,
 * answers that do not come, and error bodies that are not well formed; each with the shortest request that shows it.
 */
export async function fuzz(api: TestApi, sql: Pool, { runs, seed, patience_ms }: Options): Promise<string[]> {
  const found: string[] = [];
  for (const prefix of ['/v2', '/v3']) {
    const { operations, schemas } = operationsOf(
      (await (await api.call('GET', `${prefix}/openapi.json`)).json()) as never,
      prefix,
    );
    const each = Math.ceil(runs / 2 / operations.length);
    for (let from = 0; from < operations.length; from += per_world) {
      const { values, tokens } = await world(sql, await people(sql));
      const known = Object.values(values);
      const authorizations = [...Object.values(tokens), 'mrp_unknown', 'Bearer \u00ff'];
      for (const operation of operations.slice(from, from + per_world)) {
        const requests = requestsOf(operation, { schemas, known, tokens: authorizations });
        const wrong = await check(api, operation, requests, { runs: each, seed, patience_ms });
        if (wrong) found.push(wrong);
      }
    }
  }
  return found;
}

async function check(
  api: TestApi,
  { name }: Operation,
  requests: fc.Arbitrary<FuzzedRequest>,
  { runs, seed, patience_ms }: Options,
): Promise<string | null> {
  let why = '';
  const property = fc.asyncProperty(requests, async (request) => {
    const problem = await problemOf(api, request, patience_ms);
    if (problem) why = problem;
    return problem === null;
  });
  const { failed, counterexample } = await fc.check(property, { numRuns: runs, seed });
  if (!failed) return null;
  return `${name}: ${why} for ${JSON.stringify(counterexample?.[0])?.slice(0, 600)}`;
}

/** However busy the machine is, a first answer comes within this time. */
const hang_ms = 20_000;

/** What `answering` gives; null when it takes longer. */
async function within<T>(ms: number, answering: Promise<T>): Promise<T | null> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    late = setTimeout(() => resolve(null), ms);
  });
  return await Promise.race([answering, tooLate]).finally(() => clearTimeout(late));
}

let sent = 0;

/** What is wrong with the answer to a request; null when nothing is. */
async function problemOf(
  api: TestApi,
  { method, url, token, body, type }: FuzzedRequest,
  patience_ms: number,
): Promise<string | null> {
  sent++;
  const calling = {
    headers: (body === null ? {} : { 'content-type': type }) as Record<string, string>,
    address: `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
    ...(token === null ? {} : { token }),
    ...(body === null ? {} : { body }),
  };
  const ask = async () => {
    const began = performance.now();
    const answer = await api.call(method, url, calling);
    return { status: answer.status, text: await answer.text(), took_ms: performance.now() - began };
  };
  let answer = await within(hang_ms, ask());
  // a thread that was idle starts anew, and a busy machine lets us wait: neither happens twice in a row
  if (answer && answer.took_ms > patience_ms) answer = await within(patience_ms, ask());
  if (!answer) return `no answer within ${patience_ms} ms`;
  if (answer.status >= 500) return `${answer.status} ${answer.text.slice(0, 200)}`;
  return answer.status < 400 ? null : whyMalformed(url, answer.status, answer.text);
}

/** Errors have a code and a description, OAuth's in the words of its standard; in v2 what is missing is an empty 404. */
function whyMalformed(url: string, status: number, text: string): string | null {
  if (text === '') return status === 404 && url.startsWith('/v2/') ? null : `${status} without a body`;
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return `${status} that is no JSON: ${text.slice(0, 100)}`;
  }
  const { error, description, error_description, details } = body;
  if (typeof error !== 'string' || typeof (description ?? error_description) !== 'string')
    return `${status} without code or description: ${text.slice(0, 200)}`;
  const code = (details as { code?: string } | undefined)?.code;
  return code === undefined || code in refusals ? null : `${status} with the unknown code ${code}`;
}
