import type { z } from 'zod';
import { type RefusalCode, Refused, refusals } from '#db/platform/errors.ts';
import type { PlaneContext } from '../context.ts';
import { type FileQuery, fileQueries } from '../protocol/files.ts';
import { askAgent } from './connection-of.ts';

export type FileQueryInput<Q extends FileQuery> = z.input<(typeof fileQueries)[Q]['input']>;
export type FileQueryOutput<Q extends FileQuery> = z.output<(typeof fileQueries)[Q]['output']>;

/** What is needed to ask an agent. */
export type AskContext = Parameters<typeof askAgent>[0];

/** A server and the node that it is on. */
export interface ServerOnNode {
  id: string;
  node_id: string | null;
}

/** Panels wait 10 s for an answer. */
const answer_ms = 8_000;

/**
 * Asks the agent of a server about its files and gives the result. Refuses with the code and data of the agent's refusal
 * (`operation_failed` for codes that are unknown here, and for results that do not fit), `agent_outdated`, and
 * `server_unreachable` without an answer in `timeout_ms`.
 */
export async function askFiles<Q extends FileQuery>(
  context: AskContext,
  server: ServerOnNode,
  query: Q,
  args: FileQueryInput<Q>,
  timeout_ms: number = answer_ms,
): Promise<FileQueryOutput<Q>> {
  const answer = await askAgent(context, server.node_id, async (agent) => {
    const answered = await agent.queryFiles(server.id, { query, args }, timeout_ms);
    // it has connected anew meanwhile and did nothing
    if (answered?.ok === false && answered.error === 'lease_stale') throw new Refused('agent_elsewhere');
    return answered;
  });
  if (!answer) throw new Refused('server_unreachable');
  if (!answer.ok) throw refusalOfAgent(answer.error, answer.data);
  const parsed = fileQueries[query].output.safeParse(answer.result);
  if (!parsed.success) throw new Refused('operation_failed');
  return parsed.data as FileQueryOutput<Q>;
}

/** The refusal that an agent names by its code; `operation_failed` when this code has no text here. */
export const refusalOfAgent = (code: unknown, data: unknown): Refused =>
  typeof code === 'string' && Object.hasOwn(refusals, code)
    ? new Refused(code as RefusalCode, { ...(data as object) })
    : new Refused('operation_failed');

/** The part of the context of a plane that transfers with agents need. */
export type TransferContext = AskContext & Pick<PlaneContext, 'addresses'>;
