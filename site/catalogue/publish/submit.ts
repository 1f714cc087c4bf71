import type { MessageKey } from '#content/keys.ts';
import { type ApiError, type ApiResult, apiFetch } from '../../platform/browser/api-client.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { keepToast } from '../../platform/browser/toasts.store.ts';
import {
  type Draft,
  editBody,
  type ProblemPlace,
  placeOf,
  problemsOf,
  publishBody,
  usableFiles,
  type VersionFields,
} from './draft.ts';
import type { ExistingFile } from './ExistingFiles.tsx';
import { allSent, dropDraft } from './files.store.ts';
import { $publish, type PublishPage, setPhase, setProblems, showDraft } from './publish.store.ts';

/** The version that is edited, as it was when the page was loaded. */
export interface EditedVersion {
  id: string;
  number: string;
  path: string;
  pack: boolean;
  /** When it is released, as ISO text; null while it is not scheduled. */
  scheduled_for: string | null;
  fields: VersionFields;
  files: readonly ExistingFile[];
}

interface Submission {
  page: PublishPage;
  version: EditedVersion | null;
  existing: readonly ExistingFile[];
  t(key: MessageKey, values?: Record<string, string | number>): string;
  link(path: string): string;
}

/** Publishes the drafts, or saves the version; true when the page is left. What is refused stays as it was. */
export async function submitForm(submission: Submission): Promise<boolean> {
  if (!check(submission)) return false;
  setPhase('waiting');
  await allSent();
  // a file may have been refused meanwhile
  if (!check(submission)) {
    setPhase('editing');
    return false;
  }
  setPhase('publishing');
  const isDone = await (submission.version ? save(submission, submission.version) : publish(submission));
  setPhase(isDone ? 'done' : 'editing');
  if (isDone) location.assign(submission.link(isDone));
  return isDone !== null;
}

const hasEnvironment = (page: PublishPage, { loaders }: VersionFields): boolean =>
  page.loader_groups
    .flatMap((group) => group.loaders)
    .some(({ name, environment }) => environment && loaders.includes(name));

/** Shows what is missing, at the first draft that lacks something. */
function check({ page, version, existing, t }: Submission): boolean {
  const { drafts } = $publish.get();
  const wrong = drafts.filter((draft) => {
    const problems = problemsOf(draft.fields, {
      has_files: usableFiles(draft).length > 0 || existing.some(({ removed }) => !removed),
      needs_environment: hasEnvironment(page, draft.fields) && !version,
      now: new Date(),
    });
    const texts = Object.entries(problems).map(([place, key]) => [place, t(key)]);
    setProblems(draft.key, Object.fromEntries(texts));
    return texts.length > 0;
  });
  if (wrong[0]) showDraft(wrong[0].key);
  return wrong.length === 0;
}

/** Sends a write whose refusal is shown at its place in the form. */
async function sendFor<T>(draft: Draft, send: () => Promise<ApiResult<T>>): Promise<T | null> {
  const result = await mutate<T>({
    send,
    refused(error: ApiError) {
      if (error.status === 0 || !error.description) return false;
      const place: ProblemPlace = placeOf(error);
      setProblems(draft.key, { [place]: error.description });
      showDraft(draft.key);
      return true;
    },
  });
  return result.ok ? ((result.data ?? {}) as T) : null;
}

async function schedule(draft: Draft, id: string): Promise<boolean> {
  const time = new Date(draft.fields.release_at).toISOString();
  const json = { time, requested_status: 'listed' };
  return (
    (await sendFor(draft, () => apiFetch('POST /v2/version/{id}/schedule', { path: { id }, json }))) !== null
  );
}

async function publish({ page, t }: Submission): Promise<string | null> {
  const { drafts, license } = $publish.get();
  let last: { id: string } | null = null;
  for (const draft of drafts) {
    const json = publishBody(draft, page.project.id, hasEnvironment(page, draft.fields));
    last = await sendFor(draft, () => apiFetch('POST /_internal/versions', { json }));
    if (!last) return null;
    dropDraft(draft.key);
    // the version is there: only its time is missing, which its own form can set
    if (draft.fields.status === 'scheduled' && !(await schedule(draft, last.id)))
      return `${page.project.path}/version/${last.id}/edit`;
  }
  if (license) {
    // the versions are there: a refusal is said, and the settings can set it
    const path = { id: page.project.id };
    await mutate({ send: () => apiFetch('PATCH /v3/project/{id}', { path, json: { license_id: license } }) });
  }
  const title = drafts.length === 1 ? t('publish.published_one') : t('publish.published_many');
  keepToast({ type: 'success', title, text: '' });
  return drafts.length === 1 && last
    ? pathAfter(page, drafts[0]!.fields, last.id)
    : `${page.project.path}/versions`;
}

async function save({ page, existing, t }: Submission, version: EditedVersion): Promise<string | null> {
  const [draft] = $publish.get().drafts;
  const { fields } = draft!;
  const has_environment = hasEnvironment(page, fields);
  const file_types = existing
    .filter((file) => !file.removed)
    .filter(({ sha512, file_type }) =>
      version.files.some((before) => before.sha512 === sha512 && before.file_type !== file_type),
    )
    .map(({ sha512, file_type }) => ({ algorithm: 'sha512', hash: sha512, file_type }));
  const json: Record<string, unknown> = {
    ...editBody(version.fields, fields, {
      ...{ title: page.project.title, pack: version.pack, has_environment },
    }),
    ...(file_types.length > 0 ? { file_types } : {}),
  };
  const steps: Array<() => Promise<ApiResult<unknown>>> = [];
  if (Object.keys(json).length > 0)
    steps.push(() => apiFetch('PATCH /v3/version/{id}', { path: { id: version.id }, json }));
  const files = usableFiles(draft!);
  if (files.length > 0)
    steps.push(() =>
      apiFetch('POST /_internal/versions/{id}/files', {
        path: { id: version.id },
        json: {
          uploads: files.map(({ upload_id }) => upload_id),
          file_types: Object.fromEntries(files.map(({ upload_id, file_type }) => [upload_id, file_type])),
        },
      }),
    );
  for (const { sha512, removed } of existing)
    if (removed)
      steps.push(() =>
        apiFetch('DELETE /v2/version_file/{hash}', {
          path: { hash: sha512 },
          query: { algorithm: 'sha512', version_id: version.id },
        }),
      );
  for (const step of steps) if ((await sendFor(draft!, step)) === null) return null;
  const isScheduled = fields.status === 'scheduled';
  const isSameTime =
    version.scheduled_for !== null && Date.parse(fields.release_at) === minuteOf(version.scheduled_for);
  if (isScheduled && !isSameTime && !(await schedule(draft!, version.id))) return null;
  keepToast({ type: 'success', title: t('publish.saved'), text: '' });
  return pathAfter(page, fields, version.id);
}

/** The field knows minutes only. */
const minuteOf = (time: string): number => Math.floor(Date.parse(time) / 60_000) * 60_000;

/** The page of a version, or its form while it has no page. */
const pathAfter = ({ project }: PublishPage, { status }: VersionFields, id: string): string =>
  `${project.path}/version/${id}${status === 'draft' || status === 'scheduled' ? '/edit' : ''}`;
