import type { ApiError, ApiResult } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import type { Result } from '../../shared/request.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { $content, $ownChange, $waiting, loadContent, showChange } from './content.store.ts';

/**
 * Changes of content. Each is asked for with the revision that its user saw; when somebody else was faster, the list is
 * loaded again. A dialog shows a refusal itself (`refused`); any other one is a toast.
 */

export type RefusedIn = (error: ApiError) => boolean;
type Changed = ApiResult<Result<'content.toggle'>>;

/** Runs one change; while it is asked for `$waiting` has its key. Gives whether it was accepted. */
async function change(
  key: string,
  op_id: string,
  send: () => Promise<Changed>,
  refused?: RefusedIn,
): Promise<boolean> {
  if ($waiting.get().includes(key)) return false;
  $waiting.set([...$waiting.get(), key]);
  const result = await mutate({
    send,
    repeatable: true,
    refresh({ change: made }) {
      $ownChange.set(op_id);
      showChange(made);
    },
    refused,
  });
  $waiting.set($waiting.get().filter((one) => one !== key));
  if (!result.ok && result.error.code === 'content_changed') void loadContent();
  return result.ok;
}
const revision = (): string => $content.get()?.revision ?? '';

export function toggle(paths: readonly string[], enabled: boolean): Promise<boolean> {
  const op_id = crypto.randomUUID();
  const asked = { op_id, revision: revision(), paths: [...paths], enabled };
  return change(paths.length === 1 ? `toggle ${paths[0]}` : 'toggle', op_id, () =>
    requestFromPanel('content.toggle', asked),
  );
}

export function remove(paths: readonly string[]): Promise<boolean> {
  const op_id = crypto.randomUUID();
  const asked = { op_id, revision: revision(), paths: [...paths] };
  return change('remove', op_id, () => requestFromPanel('content.remove', asked));
}

/** Takes the newest change back. */
export function takeBack(change_id: string): Promise<boolean> {
  const op_id = crypto.randomUUID();
  return change(`undo ${change_id}`, op_id, () => requestFromPanel('content.undo', { op_id, change_id }));
}

export function cancelChange(change_id: string): Promise<boolean> {
  return change(`cancel ${change_id}`, change_id, () => requestFromPanel('changes.cancel', { change_id }));
}

/** What was planned, with the revision that the plan is about. */
interface Planned {
  op_id: string;
  revision: string;
}

/** Each plan waits for itself: a dialog that was closed while its request is under way keeps no other plan from its own. */
const carryOut = ({ op_id }: Planned, send: () => Promise<Changed>, refused: RefusedIn): Promise<boolean> =>
  change(op_id, op_id, send, refused);

export const install = (planned: Planned, versions: string[], refused: RefusedIn): Promise<boolean> =>
  carryOut(planned, () => requestFromPanel('content.install', { ...planned, versions }), refused);

export const update = (
  planned: Planned,
  updates: { path: string | null; version_id: string }[],
  refused: RefusedIn,
): Promise<boolean> =>
  carryOut(planned, () => requestFromPanel('content.update', { ...planned, updates }), refused);

export const installPack = (
  planned: Planned & { version_id: string; backup: boolean; stop: boolean },
  refused: RefusedIn,
): Promise<boolean> => carryOut(planned, () => requestFromPanel('content.pack_install', planned), refused);

/** A refusal inside a dialog: what it says, with how long to wait where that is known. */
export function refusalIn({ t, number }: PageMessages, { status, description, details }: ApiError): string {
  const wait = Number(details.retry_after_ms);
  if (status === 429 && wait > 0)
    return t('server_content.too_fast', { seconds: number(Math.max(1, Math.ceil(wait / 1000))) });
  return description || t(status === 0 ? 'servers.line_lost' : 'server_content.failed');
}
