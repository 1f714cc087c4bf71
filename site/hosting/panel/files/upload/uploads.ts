import { showToast } from '../../../../platform/browser/toasts.store.ts';
import { openedPanel, requestFromPanel } from '../../core/open-panel.ts';
import { $place, texts } from '../files.store.ts';
import { load } from '../folder.ts';
import { operation } from '../operation.ts';
import { foldersOf, joinPath, requestParts } from '../paths.ts';
import { runUpload, type UploadTransport } from '../run-upload.ts';
import { changed, chosen, nextToStart, type UploadChoice, type UploadItem } from '../upload-queue.ts';
import { $uploads } from '../uploads.store.ts';
import { type PickedUpload, readDropped } from './dropped-entries.ts';
import { pacer } from './pacer.ts';
import { cancelUpload, sendFile } from './send-file.ts';
import { forgetUpload, uploadId } from './upload-ids.ts';

/** Runs the queue of uploads: a few at once, each to its end. */

const uploads_at_once = 4;
const paced = (per_second: number) =>
  pacer(
    per_second,
    () => performance.now(),
    (ms) => new Promise((go) => setTimeout(go, ms)),
  );
/** The control plane takes 20 calls a second of one page, and 100 that begin or end an upload. Source: hosting §5.2. */
const turn = paced(12);
const uploadTurn = paced(80);
/** Pauses between attempts while there is no connection; the last one repeats. */
const waits_ms = [500, 1000, 2000, 4000, 8000];

interface Job {
  file: File;
  id: string;
  address: string | null;
  stop: AbortController | null;
}
const jobs = new Map<string, Job>();
let last = 0;

const identityOf = ({ path, bytes, modified }: UploadItem) => ({
  ...{ server_id: openedPanel()!.id, path, bytes, modified },
});

/** Adds files below the folder that is shown; those that are there already wait for a choice. */
export async function addUploads(
  picked: readonly PickedUpload[],
  empty: readonly string[] = [],
): Promise<void> {
  const { path: folder } = $place.get();
  const items = picked.map(({ file, path }): UploadItem => {
    const key = `${++last}`;
    jobs.set(key, { file, id: '', address: null, stop: null });
    return {
      ...{ key, path: joinPath(folder, path), bytes: file.size, state: 'queued', sent: 0, choice: null },
      ...{ existing: null, modified: file.lastModified, problem: '' },
    };
  });
  const folders = foldersOf(
    [...items.map(({ path }) => path), ...empty.map((path) => joinPath(folder, `${path}/x`))],
    folder,
  );
  await createFolders(folders);
  const known = await existing(items.map(({ path }) => path));
  const added = items.map((item) => {
    const there = known.get(item.path);
    return there ? { ...item, state: 'conflict' as const, existing: there } : item;
  });
  $uploads.set([...$uploads.get(), ...added]);
  startNext();
}

export async function addDropped(entries: readonly (FileSystemEntry | null)[]): Promise<void> {
  const { files, folders, isCut } = await readDropped(entries);
  if (isCut)
    showToast({
      type: 'warning',
      title: texts().t('server_files.too_many'),
      text: texts().t('server_files.too_many_text'),
    });
  await addUploads(files, folders);
}

/** Folders that are there already are no problem. */
async function createFolders(folders: readonly string[]): Promise<void> {
  for (const path of folders) {
    await turn();
    await operation('files.create', { path, type: 'directory' }).send();
  }
}

async function existing(paths: readonly string[]): Promise<Map<string, { bytes: number; modified: number }>> {
  const found = new Map<string, { bytes: number; modified: number }>();
  for (const part of requestParts(paths)) {
    await turn();
    const answer = await requestFromPanel('files.stat', { paths: part });
    // without an answer the last step finds out
    if (!answer.ok) continue;
    for (const [i, entry] of answer.data.entries.entries()) if (entry) found.set(part[i]!, entry);
  }
  return found;
}

const change = (key: string, to: Partial<UploadItem>): void => $uploads.set(changed($uploads.get(), key, to));
const itemOf = (key: string): UploadItem | undefined => $uploads.get().find((item) => item.key === key);

function startNext(): void {
  for (const key of nextToStart($uploads.get(), uploads_at_once)) void start(key);
}

async function start(key: string): Promise<void> {
  const item = itemOf(key)!;
  const job = jobs.get(key)!;
  const stop = new AbortController();
  job.stop = stop;
  job.id ||= uploadId(identityOf(item), Date.now());
  change(key, { state: 'sending' });
  const end = await runUpload(transportOf(item, job), item.choice, stop.signal, (state) =>
    change(key, { state }),
  );
  if (stop.signal.aborted) return;
  if (end.end === 'done') {
    forgetUpload(identityOf(item), Date.now());
    change(key, { state: 'done', sent: item.bytes });
    jobs.delete(key);
  } else if (end.end === 'conflict') {
    const there = await existing([item.path]);
    change(key, { state: 'conflict', existing: there.get(item.path) ?? null });
  } else if (end.end === 'failed') {
    const gone =
      end.code === 'file_unreadable'
        ? texts().t('server_files.upload_gone')
        : texts().t('server_files.upload_failed');
    change(key, { state: 'failed', problem: end.text || gone });
  }
  startNext();
  showEnds();
}

/** The list shows what arrived, at most once a second. */
let willShow = false;
function showEnds(): void {
  if (willShow) return;
  willShow = true;
  setTimeout(() => {
    willShow = false;
    void load();
  }, 1000);
}

function transportOf(item: UploadItem, job: Job): UploadTransport {
  const upload_id = job.id;
  return {
    async begin() {
      await uploadTurn();
      const answer = await requestFromPanel('files.upload', {
        upload_id,
        path: item.path,
        bytes: item.bytes,
      });
      if (answer.ok) job.address = answer.data.address;
      return answer;
    },
    send: (ways, signal) => {
      let shown = 0;
      return sendFile(job.file, ways, signal, (sent) => {
        // a thousand files with every step of each would keep the page busy
        if (performance.now() - shown < 200 && sent < item.bytes) return;
        shown = performance.now();
        change(item.key, { sent });
      });
    },
    async place(choice) {
      await uploadTurn();
      return requestFromPanel('files.place', { upload_id, on_conflict: choice ?? 'refuse' });
    },
    wait: (attempt, least_ms, signal) =>
      new Promise((resolve) => {
        const wait_ms = Math.max(least_ms, waits_ms[Math.min(attempt, waits_ms.length - 1)]!);
        const go = () => {
          clearTimeout(pause);
          removeEventListener('online', go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        const pause = setTimeout(go, wait_ms);
        addEventListener('online', go);
        signal.addEventListener('abort', go);
      }),
    isReadable: () =>
      job.file
        .slice(0, 1)
        .arrayBuffer()
        .then(
          () => true,
          () => false,
        ),
  };
}

export function pause(key: string): void {
  change(key, { state: 'paused' });
  // one that is on its way to its place cannot be stopped any more
  if (itemOf(key)?.state === 'paused') jobs.get(key)?.stop?.abort();
  startNext();
}
/** Goes on with one that is paused, or tries one that failed again. */
export function resume(key: string): void {
  change(key, { state: 'queued', problem: '' });
  startNext();
}

/** Removes one from the list, and what arrived of it from the server. */
export function cancel(key: string): void {
  const job = jobs.get(key);
  const item = itemOf(key);
  $uploads.set($uploads.get().filter((one) => one.key !== key));
  job?.stop?.abort();
  jobs.delete(key);
  if (item && job?.address && item.state !== 'done') {
    void cancelUpload(job.address);
    forgetUpload(identityOf(item), Date.now());
  }
  startNext();
}

export function choose(key: string, choice: UploadChoice, forAll: boolean): void {
  $uploads.set(chosen($uploads.get(), key, choice, forAll));
  startNext();
}
