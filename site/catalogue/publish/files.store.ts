import { atom } from 'nanostores';
import type { KnownGameVersion } from '#db/catalogue/manifests/manifest.ts';
import { usualFileType, whyNotName } from '#db/platform/files/rules.ts';
import { type Draft, type PickedFile, usableFiles, type VersionFields, withReading } from './draft.ts';
import {
  $publish,
  allFiles,
  changeDraft,
  currentDraft,
  newKey,
  type PublishPage,
  set,
} from './publish.store.ts';
import { publishedVersion } from './published-version.ts';
import { readFile } from './read-file.ts';
import { type FileUpload, uploadFile } from './upload-file.ts';

/** What screen readers are told: milestones, not every percent. */
export const $announced = atom('');

/** Files that are sent at the same time: more only share the same line. */
const uploads_at_once = 2;

interface Job {
  /** Null until it is first sent. */
  upload: FileUpload | null;
  stop: AbortController;
  file: File;
  sha512: string;
}
const jobs = new Map<string, Job>();
let page: PublishPage;
/** Whether a version is edited: no manifest changes what it says. */
let isEdit = false;
let known: KnownGameVersion[] = [];
let problemText: (code: string, filename: string) => string;

/** Begins the form of a page; `fields` are what its version has so far, `edit` whether it is published already. */
export function openForm(
  given: PublishPage,
  { fields, edit }: { fields: Partial<VersionFields>; edit: boolean },
  textOf: (code: string, filename: string) => string,
): void {
  page = given;
  isEdit = edit;
  problemText = textOf;
  known = page.game_versions.map(([version, version_type]) => ({ version, version_type }));
  const [draft] = $publish.get().drafts;
  set({ drafts: [{ ...draft!, fields: { ...draft!.fields, ...fields } }] });
}

/** Forgets a draft that is published. */
export function dropDraft(key: string): void {
  const { drafts } = $publish.get();
  const others = drafts.filter((draft) => draft.key !== key);
  for (const file of drafts.find((draft) => draft.key === key)?.files ?? [])
    jobs.get(file.key)?.upload?.forget();
  // the last one stays while the next page is loaded
  if (others[0]) set({ drafts: others, current: others[0].key });
}

/** Changes a file; of one that was removed meanwhile nothing. */
function changeFile(key: string, change: Partial<PickedFile>): void {
  set({
    drafts: $publish
      .get()
      .drafts.map((draft) =>
        draft.files.some((file) => file.key === key)
          ? { ...draft, files: draft.files.map((file) => (file.key === key ? { ...file, ...change } : file)) }
          : draft,
      ),
  });
}
const fileOf = (key: string): PickedFile | undefined =>
  allFiles($publish.get()).find((file) => file.key === key);

/** Why a file cannot be part of a draft, by its name and size alone; the key of a text. */
function whyNotFile({ name, size }: File, draft: Draft): string | null {
  const others = usableFiles(draft).map(({ filename }) => filename);
  if (size > page.max_file_bytes) return whyNotName(name) ?? 'file_too_large';
  return whyNotName(name) ?? (size === 0 ? 'empty' : others.includes(name) ? 'repeated' : null);
}

/** Adds files to the current draft, reads each, and sends what is not published yet. */
export function addFiles(list: Iterable<File>): void {
  for (const file of list) {
    const key = newKey();
    const draft = currentDraft($publish.get());
    const code = whyNotFile(file, draft);
    const isFirst = !isEdit && draft.files.every(({ file_type }) => file_type !== null);
    const picked: PickedFile = {
      ...{ key, filename: file.name, size: file.size, state: code ? 'refused' : 'reading', done_bytes: 0 },
      ...{ bytes_per_second: null, reading: null, upload_id: null, published: null },
      // a first file is what players download, whatever its name, unless it only signs another
      file_type: isFirst && usualFileType(file.name) !== 'signature' ? null : usualFileType(file.name),
      problem: code ? problemText(code, file.name) : '',
    };
    changeDraft(draft.key, (one) => ({ ...one, files: [...one.files, picked] }));
    if (code) $announced.set(picked.problem);
    else void take(key, file);
  }
}

async function take(key: string, file: File): Promise<void> {
  const stop = new AbortController();
  jobs.set(key, { upload: null, stop, file, sha512: '' });
  const found = await readFile(file, {
    known,
    signal: stop.signal,
    onHashed: (done_bytes) => changeFile(key, { done_bytes }),
  });
  if (!fileOf(key)) return;
  if ('why' in found) return refuse(key, problemText(found.why, file.name));
  jobs.set(key, { upload: null, stop, file, sha512: found.sha512 });
  changeFile(key, { reading: found.reading, done_bytes: 0 });
  if (!isEdit) fillFrom(key);
  // no byte is sent before it is known that nobody has the file
  const published = await publishedVersion(found.sha512, page.project.id);
  if (!fileOf(key)) return;
  if (published) {
    changeFile(key, { state: 'published', published });
    $announced.set(published.version_number);
    return;
  }
  changeFile(key, { state: 'queued' });
  sendNext();
}

function refuse(key: string, problem: string): void {
  changeFile(key, { state: 'refused', problem });
  $announced.set(problem);
}

/** The manifest of a file fills its draft, when the file is the first that has one. */
function fillFrom(key: string): void {
  for (const draft of $publish.get().drafts) {
    const first = draft.files.find(({ reading, file_type }) => reading?.loaders.length && file_type === null);
    if (first?.key === key)
      changeDraft(draft.key, (one) => ({ ...one, fields: withReading(one, first.reading) }));
  }
}

/** Starts uploads that wait for their turn. */
function sendNext(): void {
  const files = allFiles($publish.get());
  const busy = files.filter(({ state }) => state === 'sending' || state === 'waiting').length;
  for (const { key } of files
    .filter(({ state }) => state === 'queued')
    .slice(0, Math.max(0, uploads_at_once - busy)))
    send(key);
}

function send(key: string): void {
  const job = jobs.get(key)!;
  const { project } = page;
  let since = { at: performance.now(), bytes: -1 };
  let rate: number | null = null;
  let told = 0;
  changeFile(key, { state: 'sending' });
  job.upload ??= uploadFile(
    job.file,
    { project_id: project.id, sha512: job.sha512 },
    {
      onSent(done_bytes) {
        const now = performance.now();
        if (since.bytes < 0 || done_bytes < since.bytes) since = { at: now, bytes: done_bytes };
        else if (now - since.at > 500) {
          const measured = ((done_bytes - since.bytes) * 1000) / (now - since.at);
          rate = rate === null ? measured : 0.7 * rate + 0.3 * measured;
          since = { at: now, bytes: done_bytes };
        }
        if (fileOf(key)?.state === 'paused') return;
        changeFile(key, { state: 'sending', done_bytes, bytes_per_second: rate });
        const quarter = Math.floor((4 * done_bytes) / Math.max(1, job.file.size));
        if (quarter > told && quarter < 4) $announced.set(`${job.file.name}: ${25 * quarter} %`);
        told = quarter;
      },
      onWaiting() {
        since = { at: 0, bytes: -1 };
        rate = null;
        changeFile(key, { state: 'waiting', bytes_per_second: null });
      },
      onDone(upload_id) {
        changeFile(key, { state: 'sent', done_bytes: job.file.size, upload_id });
        $announced.set(`${job.file.name}: 100 %`);
        sendNext();
      },
      onRefused({ code, text }) {
        refuse(key, text || problemText(code, job.file.name));
        sendNext();
      },
    },
  );
  job.upload.start();
}

export function pauseFile(key: string): void {
  jobs.get(key)?.upload?.pause();
  changeFile(key, { state: 'paused', bytes_per_second: null });
  sendNext();
}

export const resumeFile = (key: string): void => send(key);

/** Sends a file although a version of this project has it already. */
export function sendAnyway(key: string): void {
  changeFile(key, { state: 'queued', published: null });
  sendNext();
}

/** Removes a file, and what arrived of it. */
export function removeFile(key: string): void {
  const job = jobs.get(key);
  job?.stop.abort();
  void job?.upload?.cancel();
  jobs.delete(key);
  set({
    drafts: $publish.get().drafts.map((draft) => ({
      ...draft,
      files: draft.files.filter((file) => file.key !== key),
    })),
  });
  sendNext();
}

export const setFileType = (key: string, file_type: PickedFile['file_type']): void =>
  changeFile(key, { file_type });

/** Settles when no file is read or sent any more; paused ones are continued. */
export async function allSent(): Promise<void> {
  for (const { key, state } of allFiles($publish.get())) if (state === 'paused') resumeFile(key);
  const isBusy = () =>
    allFiles($publish.get()).some(({ state }) => /^(reading|queued|sending|waiting|paused)$/.test(state));
  if (!isBusy()) return;
  await new Promise<void>((resolve) => {
    const stop = $publish.listen(() => {
      if (isBusy()) return;
      stop();
      resolve();
    });
  });
}
