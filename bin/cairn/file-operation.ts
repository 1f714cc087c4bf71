import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import type { PanelRequests } from '#control/protocol/browser.ts';
import type { fileOperations } from '#control/protocol/files.ts';
import { cancellableKinds } from '#db/hosting/servers/files/rules.ts';
import { UserError } from '../user-error.ts';
import type { ControlClient } from './control-client.ts';

const poll_ms = 1_000;

/** Operations that a user asks for; the others are steps of a change. */
type Kind = Exclude<keyof typeof fileOperations, 'file_erase' | 'file_unerase'>;

/** The requests that are operations on files, by the kind of their operation. */
const requests = {
  file_create: 'files.create',
  file_move: 'files.move',
  file_copy: 'files.copy',
  file_delete: 'files.delete',
  file_restore: 'files.restore',
  file_purge: 'files.purge',
  file_unpack: 'files.unpack',
  file_fetch: 'files.fetch',
} as const satisfies Record<Kind, keyof PanelRequests>;

/**
 * Runs an operation on files and gives its result, however long it takes; how far it is is written to standard error. The same
 * operation is never run twice, also when the connection is lost. A refusal ends the command with its text. Ctrl+C cancels what
 * can be canceled.
 */
export async function runFileOperation<K extends Kind>(
  { request }: Pick<ControlClient, 'request'>,
  kind: K,
  server_id: string,
  args: z.input<(typeof fileOperations)[K]['input']>,
): Promise<z.output<(typeof fileOperations)[K]['output']>> {
  const op_id = randomUUID();
  const cancel = () =>
    void request('files.cancel', { server_id, op_id }).catch((error) => console.error(error.message));
  const isCancellable = cancellableKinds.includes(kind);
  if (isCancellable) process.once('SIGINT', cancel);
  try {
    const result = await begin(request, kind, { server_id, op_id, ...args });
    if (result !== null) return result as never;
    if (isCancellable) console.error(`To cancel it: cairn server files cancel ${server_id} ${op_id}`);
    return (await endOf(request, { server_id, op_id })) as never;
  } finally {
    process.off('SIGINT', cancel);
  }
}

/** Cancels an operation on files, and gives how it ended: `canceled`, or another end that came first. */
export async function cancelFileOperation(
  { request }: Pick<ControlClient, 'request'>,
  target: { server_id: string; op_id: string },
): Promise<string> {
  await request('files.cancel', target);
  for (;;) {
    const { operation } = await request('server.operation', target);
    if (operation.error?.code === 'operation_canceled') return 'canceled';
    if (operation.error || operation.state === 'done') return operation.state;
    await setTimeout(poll_ms);
  }
}

const begin = async (request: ControlClient['request'], kind: Kind, message: object): Promise<unknown> => {
  const { result } = await (request as (event: string, message: object) => Promise<{ result: unknown }>)(
    requests[kind],
    message,
  );
  return result;
};

/** Waits for the end of an operation and gives its result. */
async function endOf(
  request: ControlClient['request'],
  target: { server_id: string; op_id: string },
): Promise<unknown> {
  let said = '';
  for (;;) {
    const { operation } = await request('server.operation', target);
    if (operation.error) throw new UserError(operation.error.description);
    if (operation.state === 'done') return operation.result;
    const { done = 0, total = null } = operation.progress ?? {};
    const text = total ? `${Math.min(100, Math.floor((done / total) * 10) * 10)} %` : '';
    if (text !== said) console.error(text);
    said = text;
    await setTimeout(poll_ms);
  }
}
