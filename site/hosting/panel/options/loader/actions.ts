import type { ApiError, ApiResult } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import type { Message, Result } from '../../../shared/request.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { $waiting, showChange } from './loader.store.ts';

/** What is done on the page. Operation ids are made once for each action, so that a retry is not a second one. */

type Answer = Result<'loader.change'>;

async function act(
  key: 'change' | 'cancel' | 'undo',
  mutation: { send(): Promise<ApiResult<Answer>>; failure?: string; refused?(error: ApiError): boolean },
): Promise<boolean> {
  if ($waiting.get()) return false;
  $waiting.set(key);
  const shown = ({ change }: Answer) => showChange(change);
  const { ok } = await mutate({ repeatable: true, refresh: shown, ...mutation });
  $waiting.set(null);
  return ok;
}

export type LoaderChange = Omit<Message<'loader.change'>, 'server_id'>;

/** Asks for another game version or loader; `refused` shows why not. */
export const changeLoader = (change: LoaderChange, refused: (error: ApiError) => boolean): Promise<boolean> =>
  act('change', { send: () => requestFromPanel('loader.change', change), refused });

export const cancelChange = (change_id: string, failure: string): Promise<boolean> =>
  act('cancel', { send: () => requestFromPanel('changes.cancel', { change_id }), failure });

/** Takes a change back. */
export function undoChange(change_id: string, failure: string): Promise<boolean> {
  const op_id = crypto.randomUUID();
  return act('undo', { send: () => requestFromPanel('content.undo', { op_id, change_id }), failure });
}
