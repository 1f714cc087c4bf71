import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { LogText } from '#db/hosting/servers/crashes/analyse.ts';
import { max_log_bytes } from '#db/hosting/servers/crashes/rules.ts';
import { isLogPath } from '#db/hosting/servers/logs/rules.ts';
import { readPropertiesAside } from '#db/hosting/servers/properties/aside.ts';
import { decodeProperties, properties_path } from '#db/hosting/servers/properties/file.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { type AskContext, askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import { max_text_bytes } from '../protocol/content.ts';

/** Most bytes of a log that was packed, as it is and unpacked. */
const max_unpacked_bytes = 16 * max_log_bytes;
/** Reports that are older than this have nothing to do with a crash now. */
const max_report_age_ms = 24 * 3_600_000;

const log_path = 'logs/latest.log';

/**
 * The end of a log as text, at most `max_log_bytes`. Refuses `log_unreadable` for what is no text, and as the agent does:
 * `file_not_found`, `file_not_regular`, `server_file_too_large` for a packed one.
 */
export async function readLog(context: AskContext, server: ServerOnNode, path: string): Promise<LogText> {
  if (!isLogPath(path)) throw new Refused('log_unreadable', { path });
  const { entries } = await askFiles(context, server, 'stat', { paths: [path] });
  const entry = entries[0];
  if (!entry) throw new Refused('file_not_found', { path });
  if (entry.type !== 'file') throw new Refused('file_not_regular', { path });
  const isPacked = path.toLowerCase().endsWith('.gz');
  if (isPacked && entry.bytes > max_log_bytes)
    throw new Refused('server_file_too_large', { path, most_mb: max_log_bytes / 1024 / 1024 });
  const bytes = await readEnd(context, server, path, entry.bytes);
  const text = textOf(isPacked ? await unpacked(bytes, path) : bytes);
  if (text === null || text.trim() === '') throw new Refused('log_unreadable', { path });
  return { path, text };
}

async function readEnd(
  context: AskContext,
  server: ServerOnNode,
  path: string,
  size: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = Math.max(0, size - max_log_bytes); from < size; from += max_text_bytes) {
    const part = { from, bytes: Math.min(max_text_bytes, size - from) };
    const { content } = await askFiles(context, server, 'read_text', { path, part });
    parts.push(Buffer.from(content, 'base64'));
  }
  return Buffer.concat(parts);
}

async function unpacked(bytes: Buffer, path: string): Promise<Buffer> {
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: max_unpacked_bytes })).subarray(-max_log_bytes);
  } catch {
    throw new Refused('log_unreadable', { path });
  }
}

/** Text of bytes; null when they are none: older versions write other encodings, but no zeros. */
function textOf(bytes: Buffer): string | null {
  return bytes.includes(0) ? null : new TextDecoder().decode(bytes);
}

/**
 * The logs that say why a server is not well: the newest crash report, what Java wrote when it died, and the log. Those that are
 * missing or unreadable are left out.
 */
export async function crashLogs(context: AskContext, server: ServerOnNode, now: Date): Promise<LogText[]> {
  const newest = async (folder: string, is: RegExp) => {
    const list = { path: folder, sort: 'modified', descending: true, show: 'files', limit: 100 } as const;
    const { entries } = await askFiles(context, server, 'list', list).catch(ignored({ entries: [] }));
    const report = entries.find(({ name }) => is.test(name));
    const isFresh = report && now.getTime() - report.modified < max_report_age_ms;
    return isFresh ? `${folder === '' ? '' : `${folder}/`}${report.name}` : null;
  };
  const paths = await Promise.all([
    newest('crash-reports', /\.txt$/i),
    newest('', /^hs_err_pid\d{1,20}\.log$/),
    log_path,
  ]);
  const found = await Promise.all(
    paths.map(async (path) => path && (await readLog(context, server, path).catch(ignored(null)))),
  );
  return found.filter((log) => log !== null && log !== '');
}

/** A refusal about one file is no reason to read nothing; an agent that is away is. */
const ignored =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Refused && /^(file_|log_|server_file_)/.test(error.code)) return instead;
    throw error;
  };

/** What the panel knows without any file: the last lines of a crash, and why a set-up failed. */
export function consoleLog({ crash, lifecycle_data }: ServerView): LogText[] {
  // it has no time to say so itself
  const killed = crash?.out_of_memory ? ['Out of memory error (ended at the limit of its memory)'] : [];
  const text = [lifecycle_data.error ?? '', ...(crash?.last_lines ?? []), ...killed].join('\n').trim();
  return text === '' ? [] : [{ path: null, text }];
}

/** Secrets in the properties of a server: passwords of RCON and management. */
export async function knownSecrets(context: AskContext, server: ServerOnNode): Promise<string[]> {
  const file = await askFiles(context, server, 'read_text', { path: properties_path }).catch(ignored(null));
  if (!file) return [];
  const { values } = await readPropertiesAside(decodeProperties(Buffer.from(file.content, 'base64')));
  return [...values]
    .filter(([key, value]) => /password|secret|token/.test(key) && value !== '')
    .map(([, value]) => value);
}
