import { randomUUID } from 'node:crypto';
import type { Db } from '../../../platform/postgres/sql.ts';
import { begin_timeout_ms } from '../backups/begin.ts';
import { beginSafetyBackup, safetyEnd } from '../backups/safety.ts';
import { operationById } from '../operations/operations.ts';
import type { OperationError } from '../operations/rules.ts';
import { agentEnd, sendToAgent } from '../tasks/agent-work.ts';
import { turnOnAgain } from '../tasks/power.ts';
import { fails, type Next, type StepRules, type StepwiseKind, type Work } from '../tasks/steps.ts';
import { stopping } from '../tasks/stopping.ts';
import { updateTask } from '../tasks/write.ts';
import { applied, onEnd, start_timeout_ms, untilStarted } from './ends.ts';
import { createGrant } from './grants.ts';
import { type Change, changeById } from './rows.ts';

/** How long an agent may take to fetch and place all files. */
const grant_ms = 2 * 3_600_000;
/** Bringing files back waits for an agent that is away: nobody else would do it. */
const revert_timeout_ms = 24 * 3_600_000;

const afterSafety = ({ data }: Change): Change['step'] => (data.wanted.erase ? 'erasing' : 'applying');

/**
 * The server stops, a backup is made, all files go into the trash, files change, the server starts again if it ran. Source:
 * hosting §5.6.
 */
export const changes: StepwiseKind<Change> = {
  kind: 'change',
  steps: {
    stopping: stopping({
      stops: ({ data }) => data.wanted.stops,
      isCancelled: ({ task }) => task.cancelling,
      next: (task) => (task.data.wanted.backup ? 'safety' : afterSafety(task)),
    }),
    safety: {
      begin: (work) => beginSafetyBackup(work, { before: work.task.data.kind }, work.settings),
      async check(work) {
        const end = await safetyEnd(work);
        if (end === 'waits') return end;
        if (end === 'cancelled' || work.task.cancelling) return { ends: 'cancelled' };
        return end === 'made' ? { step: afterSafety(work.task) } : end;
      },
    },
    erasing: { begin: erase, check: unlessReverting(untilErased) },
    applying: { begin: apply, check: unlessReverting(untilApplied) },
    starting: {
      most_ms: start_timeout_ms,
      async begin({ db, task }) {
        await turnOnAgain(db, task);
        // whoever stops it from here on has the last word
        return { starts: false };
      },
      check: untilStarted,
    },
  },
  onEnd,
};

async function erase(work: Work<Change>) {
  const erase_op_id = randomUUID();
  const operation = { id: erase_op_id, kind: 'file_erase', args: { erase_id: erase_op_id } };
  await sendToAgent(work, operation, begin_timeout_ms);
  return { data: { erase_op_id } };
}

async function untilErased(work: Work<Change>): Promise<Next<Change>> {
  const end = await agentEnd(work.db, work.task.data.erase_op_id!);
  if (!end) return 'waits';
  return end.isDone ? { step: 'applying' } : await revert(work, end.error);
}

/** The operation that changes the files; null when none have to. */
async function operationFor(
  db: Db,
  { id, server_id, data: { wanted, undoes } }: Change,
  now: Date,
): Promise<{ id: string; kind: string; args: object } | null> {
  const { content, files } = wanted;
  const erase_id = undoes && (await changeById(db, undoes))?.data.erase_op_id;
  if (erase_id) {
    const erased = await operationById(db, erase_id);
    const items = Number((erased?.result as { items?: unknown } | null)?.items ?? 0);
    return { id, kind: 'file_unerase', args: { erase_id, items } };
  }
  if (!content) return null;
  if (undoes) return { id, kind: 'content_undo', args: { folders: content.folders, change_id: undoes } };
  const expires = new Date(now.getTime() + grant_ms);
  const fetches = Object.keys(files).length > 0;
  const get = fetches ? await createGrant(db, { server_id, change_id: id, files, expires }) : null;
  return { id, kind: 'content_apply', args: { ...content, get } };
}

async function apply(work: Work<Change>): Promise<undefined> {
  const operation = await operationFor(work.db, work.task, work.now);
  if (operation) await sendToAgent(work, operation, begin_timeout_ms);
}

async function untilApplied(work: Work<Change>): Promise<Next<Change>> {
  const { db, task } = work;
  // no files have to change
  if (!(await operationById(db, task.id)) && !task.data.wanted.content) return await applied(work);
  const end = await agentEnd(db, task.id);
  if (!end) return 'waits';
  if (end.isDone) return await applied(work);
  if (task.data.erase_op_id !== null) return await revert(work, end.error);
  if (task.cancelling || end.error.code === 'change_canceled') return { ends: 'cancelled' };
  return { fails: end.error };
}

/** Brings all files back that were erased; then the change has failed with `error`. */
async function revert(work: Work<Change>, error: OperationError): Promise<'waits'> {
  const revert_op_id = randomUUID();
  await updateTask<Change>(work.db, work.task, { data: { revert_op_id }, error });
  const args = { erase_id: work.task.data.erase_op_id, items: null };
  await sendToAgent(work, { id: revert_op_id, kind: 'file_unerase', args }, revert_timeout_ms);
  return 'waits';
}

/** Once files are on their way back, nothing else counts. */
function unlessReverting(check: StepRules<Change>['check']): StepRules<Change>['check'] {
  return async (work) => {
    const { revert_op_id } = work.task.data;
    if (revert_op_id === null) return await check(work);
    if (!(await agentEnd(work.db, revert_op_id))) return 'waits';
    return work.task.error ? { fails: work.task.error } : fails('operation_failed');
  };
}
