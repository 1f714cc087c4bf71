import { DetailedError, Upload } from 'tus-js-client';
import { pageLocaleHeader } from '../../platform/paths/page-locale-header.ts';

/** What an upload says about itself while it runs. */
export interface UploadEvents {
  onSent(bytes: number): void;
  /** The connection is lost; it continues by itself. */
  onWaiting(): void;
  /** `id` is what a version names as its file part. */
  onDone(id: string): void;
  /** The server refused it, with its text in the language of the page. */
  onRefused(refusal: { code: string; text: string }): void;
}

/** An upload that a user pauses, resumes and cancels. */
export interface FileUpload {
  start(): void;
  pause(): void;
  /** Ends it, and has the server forget what arrived. */
  cancel(): Promise<void>;
  /** Forgets where it was: a version has the file now. */
  forget(): void;
}

/** Pauses between attempts while there is no connection; the last one repeats. The browser's `online` event ends a pause. */
const waits_ms = [500, 1000, 2000, 4000, 8000];

/**
 * Sends a file in pieces by tus (tus-js-client: the protocol, and where an upload was, also after the page was closed). The
 * same file of the same project continues where it was, whether the connection broke, the server restarted or the page was
 * loaded anew.
 */
export function uploadFile(
  file: File,
  { project_id, sha512 }: { project_id: string; sha512: string },
  events: UploadEvents,
): FileUpload {
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLookedUp = false;
  let isEnded = false;
  let isPaused = false;

  const upload = new Upload(file, {
    endpoint: '/_internal/uploads',
    metadata: { filename: file.name, project_id },
    headers: { [pageLocaleHeader]: document.documentElement.lang },
    fingerprint: async () => `cairn-upload ${project_id} ${sha512} ${file.name}`,
    retryDelays: null, // ours never give up
    removeFingerprintOnSuccess: false,
    onProgress: (sent) => {
      attempts = 0;
      events.onSent(sent);
    },
    onSuccess: () => void arrived(),
    onError: (error) => void failed(error),
  });

  /** The browser notices only when it opens a file anew that it is not the one that was chosen and hashed. */
  async function arrived(): Promise<void> {
    if (isEnded) return;
    if (!(await isReadable(file))) return changed();
    if (isEnded) return;
    isEnded = true;
    stopWaiting();
    events.onDone(upload.url!.slice(upload.url!.lastIndexOf('/') + 1));
  }

  async function failed(error: Error): Promise<void> {
    const answer = error instanceof DetailedError ? error.originalResponse : null;
    const status = answer?.getStatus() ?? 0;
    // 409 and 423: another tab, or our own broken connection that the server has not noticed yet
    if (isPaused) return;
    // a file that changed on the disk fails like a lost connection, but never recovers
    if (status === 0 && !(await isReadable(file))) return void changed();
    if (isPaused || isEnded) return;
    if (status === 0 || status === 409 || status === 423 || status === 429 || status >= 500) {
      events.onWaiting();
      const wait_ms = waits_ms[Math.min(attempts++, waits_ms.length - 1)]!;
      timer = setTimeout(go, wait_ms);
      addEventListener('online', go, { once: true });
      return;
    }
    isEnded = true;
    events.onRefused(refusalOf(answer?.getBody() ?? ''));
  }

  function changed(): void {
    if (isEnded) return;
    void cancel();
    events.onRefused({ code: 'gone', text: '' });
  }

  function stopWaiting(): void {
    clearTimeout(timer);
    removeEventListener('online', go);
    removeEventListener('offline', lost);
  }

  /** The browser knows that it is offline before the request fails, which may take minutes. */
  function lost(): void {
    events.onWaiting();
    void upload.abort().catch(() => undefined);
    addEventListener('online', go, { once: true });
  }

  async function cancel(): Promise<void> {
    isEnded = true;
    stopWaiting();
    // without a connection the server forgets it after a day
    await upload.abort(true).catch(() => undefined);
    forget();
  }

  function forget(): void {
    void upload.findPreviousUploads().then(
      (known) => {
        // all keys of the library begin with this
        for (const { urlStorageKey } of known) localStorage.removeItem(`tus::${urlStorageKey.slice(5)}`);
      },
      () => undefined,
    );
  }

  async function go(): Promise<void> {
    stopWaiting();
    if (isEnded || isPaused) return;
    if (!isLookedUp) {
      isLookedUp = true;
      const [previous] = await upload.findPreviousUploads().catch(() => []);
      if (previous) upload.resumeFromPreviousUpload(previous);
      if (isEnded || isPaused) return;
    }
    addEventListener('offline', lost, { once: true });
    upload.start();
  }

  return {
    start() {
      isPaused = false;
      void go();
    },
    pause() {
      isPaused = true;
      stopWaiting();
      void upload.abort().catch(() => undefined);
    },
    cancel,
    forget,
  };
}

/** Whether the browser still reads the file: not when it was changed, moved or deleted since it was chosen. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

function refusalOf(body: string): { code: string; text: string } {
  try {
    const { error, description, details } = JSON.parse(body) as Record<string, unknown>;
    const { code } = Object(details) as { code?: unknown };
    return { code: String(code ?? error ?? ''), text: String(description ?? '') };
  } catch {
    return { code: '', text: '' };
  }
}
