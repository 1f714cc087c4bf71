import { requestFromPanel } from '../../core/open-panel.ts';
import { fetchFrom } from '../../transfer-way.ts';
import { runUpload } from '../run-upload.ts';
import { sendFile } from '../upload/send-file.ts';
import { decodeText, encodeText, type TextForm } from './text-codec.ts';

/** A text file on the server, read and written as a whole. */

export interface LoadedText {
  text: string;
  form: TextForm;
  /** That of the content that was read. */
  etag: string;
}
/** `binary`: it is no text. `missing`: there is no such file. */
export type LoadProblem = { code: 'binary' | 'missing' | 'refused' | 'offline'; text: string };
export type LoadResult = { ok: true; data: LoadedText } | { ok: false; problem: LoadProblem };

const refusal = (code: LoadProblem['code'], text = ''): LoadResult => ({
  ok: false,
  problem: { code, text },
});

export async function loadText(path: string): Promise<LoadResult> {
  const ticket = await requestFromPanel('files.download', { paths: [path], as: 'file', opens: true });
  if (!ticket.ok) {
    const { code, status, description } = ticket.error;
    if (status === 0) return refusal('offline');
    return refusal(code === 'file_not_found' ? 'missing' : 'refused', description);
  }
  const answer = await fetchFrom(ticket.data);
  if (!answer) return refusal('offline');
  if (!answer.ok) return refusal(answer.status === 404 ? 'missing' : 'refused', await textOf(answer));
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (!bytes) return refusal('offline');
  const decoded = decodeText(new Uint8Array(bytes));
  if (!decoded) return refusal('binary');
  return { ok: true, data: { ...decoded, etag: unquoted(answer.headers.get('etag') ?? '') } };
}

/** HTTP writes etags in quotes. */
const unquoted = (etag: string): string => etag.replace(/^(W\/)?"(.*)"$/, '$2');

const textOf = (answer: Response): Promise<string> =>
  answer.json().then(
    (data: unknown) => String(Object(data).description ?? ''),
    () => '',
  );

export type SaveResult =
  | { ok: true; etag: string }
  /** `changed`: somebody else saved it meanwhile. `exists`: a new file would replace one. */
  | { ok: false; code: 'changed' | 'exists' | 'refused' | 'offline'; text: string };

/** How often a save is tried while the line is cut. */
const max_tries = 5;

/**
 * Writes a text over the file that has `etag`; `''` means that there is none yet. What somebody else wrote meanwhile is
 * never replaced.
 */
export async function saveText(
  path: string,
  text: string,
  form: TextForm,
  etag: string,
): Promise<SaveResult> {
  const file = new Blob([encodeText(text, form)]);
  const upload_id = crypto.randomUUID();
  const stop = new AbortController();
  let saved = '';
  const end = await runUpload(
    {
      begin: () => requestFromPanel('files.upload', { upload_id, path, bytes: file.size }),
      send: (ways, signal) => sendFile(file, ways, signal, () => undefined),
      place: async () => {
        const message = {
          upload_id,
          on_conflict: etag === '' ? 'refuse' : 'replace',
          if_etag: etag,
        } as const;
        const answer = await requestFromPanel('files.place', message);
        if (answer.ok) saved = answer.data.entry?.etag ?? '';
        return answer;
      },
      wait: async (attempt) => {
        if (attempt >= max_tries) stop.abort();
        await new Promise((go) => setTimeout(go, 500 * 2 ** attempt));
      },
      isReadable: async () => true,
    },
    'replace',
    stop.signal,
    () => undefined,
  );
  if (end.end === 'done') return saved ? { ok: true, etag: saved } : await isStored(path, text);
  if (end.end === 'stopped') return { ok: false, code: 'offline', text: '' };
  const { code, text: description } = end.end === 'failed' ? end : { code: '', text: '' };
  if (code === 'file_changed') return { ok: false, code: 'changed', text: description };
  return { ok: false, code: code === 'file_exists' ? 'exists' : 'refused', text: description };
}

/** After an answer that was lost: whether what is there is what was saved, or already what somebody else wrote. */
async function isStored(path: string, text: string): Promise<SaveResult> {
  const now = await loadText(path);
  if (!now.ok) return { ok: false, code: 'offline', text: now.problem.text };
  return now.data.text === text
    ? { ok: true, etag: now.data.etag }
    : { ok: false, code: 'changed', text: '' };
}
