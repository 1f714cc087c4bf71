import { pageLocaleHeader } from '../paths/page-locale-header.ts';
import { type ApiResult, offline, resultOf } from './api-client.ts';

const aborted: ApiResult<never> = {
  ok: false,
  error: { status: 0, code: 'aborted', description: '', details: {} },
};

interface Upload {
  /** How much of the file has been sent, from 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/**
 * Sends `file` as the body of a POST to `path` and tells how far it is, which `fetch` cannot; for `mutate`. An aborted one
 * gives the code `aborted`.
 */
export const uploadFile = (
  path: string,
  file: Blob,
  { onProgress, signal }: Upload,
): Promise<ApiResult<unknown>> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(aborted);
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.responseType = 'json';
    request.setRequestHeader(pageLocaleHeader, document.documentElement.lang);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () => resolve(resultOf(request.status, request.response)));
    request.addEventListener('error', () => resolve(offline));
    request.addEventListener('abort', () => resolve(aborted));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
