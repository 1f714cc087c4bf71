import { DetailedError, Upload } from 'tus-js-client';
import { pageLocaleHeader } from '../../../../platform/paths/page-locale-header.ts';
import { forgetWay, type Ways, wayOf } from '../../transfer-way.ts';
import type { SendResult } from '../run-upload.ts';

/** Most bytes of one request. Source: hosting §1e. */
const max_request_bytes = 64 * 1024 * 1024;

/**
 * Sends a file to the address of an upload, from where it is on, by tus (tus-js-client, as for versions). One try: what
 * follows a failure is `run-upload.ts`'s. `signal` ends it; what arrived stays there.
 */
export async function sendFile(
  file: Blob,
  ways: Ways,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<SendResult> {
  const way = await wayOf(ways);
  const result = await sendBy(way, file, signal, onSent);
  if (!result.ok && result.status === 0) forgetWay(way);
  return result;
}

const sendBy = (
  address: string,
  file: Blob,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<SendResult> =>
  new Promise((resolve) => {
    const end = (result: SendResult) => {
      removeEventListener('offline', lost);
      signal.removeEventListener('abort', lost);
      resolve(result);
    };
    const upload = new Upload(file, {
      uploadUrl: address,
      headers: { [pageLocaleHeader]: document.documentElement.lang },
      chunkSize: max_request_bytes,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: onSent,
      onSuccess: () => end({ ok: true }),
      onError: (error) => {
        const answer = error instanceof DetailedError ? error.originalResponse : null;
        end({ ok: false, status: answer?.getStatus() ?? 0, text: textOf(answer?.getBody() ?? '') });
      },
    });
    // the browser knows that it is offline before the request fails, which may take minutes
    const lost = () => {
      void upload.abort().catch(() => undefined);
      end({ ok: false, status: 0, text: '' });
    };
    addEventListener('offline', lost);
    signal.addEventListener('abort', lost);
    if (signal.aborted) lost();
    else upload.start();
  });

/** Has the server forget what arrived of an upload. */
export const cancelUpload = (address: string): Promise<void> =>
  Upload.terminate(address, { headers: {} }).catch(() => undefined);

function textOf(body: string): string {
  try {
    return String((JSON.parse(body) as { description?: unknown }).description ?? '');
  } catch {
    return '';
  }
}
