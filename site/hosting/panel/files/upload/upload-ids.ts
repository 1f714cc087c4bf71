/** The ids of uploads that have begun, kept in this browser: the same file chosen again goes on where it was. */

const storage_key = 'files.uploads';
/** How long the server keeps an upload. Source: hosting §1e. */
const kept_ms = 24 * 3_600_000;
/** Entries that are kept at most, the newest. */
const max_entries = 2_000;

type Known = Record<string, { id: string; at: number }>;

export interface UploadIdentity {
  server_id: string;
  path: string;
  bytes: number;
  /** Milliseconds since 1970: when the file was last changed on the user's disk. */
  modified: number;
}
const nameOf = ({ server_id, path, bytes, modified }: UploadIdentity): string =>
  [server_id, bytes, modified, path].join(' ');

function read(now: number): Known {
  try {
    const known = JSON.parse(localStorage.getItem(storage_key) ?? '{}') as Known;
    const fresh = Object.entries(known).filter(([, { at }]) => now - at < kept_ms && now >= at);
    return Object.fromEntries(fresh.sort(([, a], [, b]) => a.at - b.at).slice(-max_entries));
  } catch {
    return {}; // without storage, or with another's content: uploads begin anew
  }
}
function write(known: Known): void {
  try {
    localStorage.setItem(storage_key, JSON.stringify(known));
  } catch {} // a full storage: uploads of this page still resume
}

/** The id under which this file is uploaded, a new one if it is not known. `now`: milliseconds since 1970. */
export function uploadId(file: UploadIdentity, now: number): string {
  const known = read(now);
  const id = known[nameOf(file)]?.id ?? crypto.randomUUID();
  write({ ...known, [nameOf(file)]: { id, at: now } });
  return id;
}

/** Forgets an upload that has ended. */
export function forgetUpload(file: UploadIdentity, now: number): void {
  const { [nameOf(file)]: _, ...others } = read(now);
  write(others);
}
