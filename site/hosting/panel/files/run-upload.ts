import type { FileEntry } from '#control/protocol/files.ts';
import type { ApiError, ApiResult } from '../../../platform/browser/api-client.ts';
import type { Ways } from '../transfer-way.ts';
import type { UploadChoice } from './upload-queue.ts';

/** How the bytes of one try were sent. `status`: of the answer that refused them, 0 when there was none. */
export type SendResult = { ok: true } | { ok: false; status: number; text: string };

/** What an upload needs of the world around; tests have their own. */
export interface UploadTransport {
  begin(): Promise<ApiResult<Ways & { offset: number }>>;
  send(ways: Ways, signal: AbortSignal): Promise<SendResult>;
  place(choice: UploadChoice | null): Promise<ApiResult<{ path: string; entry: FileEntry | null }>>;
  /** Settles when another try may help: after a pause, or when the line is back. */
  wait(attempt: number, least_ms: number, signal: AbortSignal): Promise<void>;
  /** Whether the file on the user's disk can still be read: not when it was changed or removed. */
  isReadable(): Promise<boolean>;
}

export type UploadEnd =
  | { end: 'done'; path: string }
  | { end: 'conflict' }
  | { end: 'stopped' }
  /** `text` is empty when the file on the user's disk is gone. */
  | { end: 'failed'; code: string; text: string };

/** Statuses that another try may change. */
const passing = new Set([0, 409, 423, 429, 500, 502, 503, 504]);
/** The address of an upload is gone: it is begun again, under the same id, and goes on where it was. */
const isGone = (status: number): boolean => status === 404 || status === 410;
/** Begins of one upload whose address was gone each time. */
const max_begins = 5;

/**
 * Runs one upload to its end: begins it, sends its bytes, moves it to its place. A line that is cut makes it wait and go on
 * where it was, as often as needed; `signal` pauses or cancels it.
 */
export async function runUpload(
  transport: UploadTransport,
  choice: UploadChoice | null,
  signal: AbortSignal,
  tell: (state: 'sending' | 'waiting' | 'placing') => void,
): Promise<UploadEnd> {
  let attempt = 0;
  const later = async (least_ms = 0) => {
    tell('waiting');
    await transport.wait(attempt++, least_ms, signal);
  };
  /** Repeats a request until it has an answer that another try would not change; null when it was stopped. */
  async function answered<T>(
    state: 'sending' | 'placing',
    ask: () => Promise<ApiResult<T>>,
  ): Promise<ApiResult<T> | null> {
    while (!signal.aborted) {
      const result = await ask();
      if (signal.aborted) return null;
      if (result.ok || !mayRepeat(result.error)) return result;
      await later(Number(result.error.details.retry_after_ms ?? 0));
      // what waits cannot be done: it goes on first
      if (!signal.aborted) tell(state);
    }
    return null;
  }
  let sent = false;
  for (let begins = 0; !sent; begins++) {
    if (begins > 0 && begins >= max_begins) return { end: 'failed', code: 'upload_not_found', text: '' };
    const begun = await answered('sending', () => transport.begin());
    if (!begun) return { end: 'stopped' };
    if (!begun.ok) return failed(begun.error);
    tell('sending');
    const result = await transport.send(begun.data, signal);
    if (signal.aborted) return { end: 'stopped' };
    if (result.ok) sent = true;
    else if (!(await transport.isReadable())) return { end: 'failed', code: 'file_unreadable', text: '' };
    else if (passing.has(result.status)) {
      begins = -1;
      await later();
    } else if (!isGone(result.status)) return { end: 'failed', code: 'refused', text: result.text };
    if (signal.aborted) return { end: 'stopped' };
  }
  tell('placing');
  const placed = await answered('placing', () => transport.place(choice));
  if (!placed) return { end: 'stopped' };
  if (placed.ok) return { end: 'done', path: placed.data.path };
  if (placed.error.code === 'file_exists' && choice === null) return { end: 'conflict' };
  // its first answer was lost on the way: it is in its place already
  if (placed.error.code === 'upload_not_found' && attempt > 0) return { end: 'done', path: '' };
  return failed(placed.error);
}

/** A refusal is final, unless it says that the time was wrong. */
const mayRepeat = ({ status, code }: ApiError): boolean =>
  status === 409 ? code === 'upload_offset_wrong' : passing.has(status) && code !== 'agent_outdated';

const failed = ({ code, description }: ApiError): UploadEnd => ({ end: 'failed', code, text: description });
