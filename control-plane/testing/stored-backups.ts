import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { ScriptedAgent } from './scripted-agent.ts';

/** Backups at the platform as an agent makes them, step by step. */

/** A folder for the storage, and what is in it. */
export function storageFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-stored-'));
  const below = (path: string): string[] => {
    try {
      return readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name).slice(join(folder, path).length + 1))
        .sort();
    } catch {
      return [];
    }
  };
  return {
    folder,
    /** Paths of what is stored of backups: `SERVER/BACKUP.tar.zst`. */
    stored: () => below('objects/private/backups'),
    /** Names of what is staged. */
    staged: () => below('tmp'),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

type Answer = Record<string, unknown> & { ok: boolean; error?: string };
export const asks = (runner: ScriptedAgent, name: string, message: object): Promise<Answer> =>
  runner.request(name as never, message) as Promise<Answer>;

/** An address for a file of a backup; the code of a refusal otherwise. */
export async function addressFor(
  runner: ScriptedAgent,
  file: { server_id: string; name: string; direction: 'to' | 'from' },
): Promise<string> {
  const answer = await asks(runner, 'backup.address', file);
  return answer.ok ? String(answer.address) : String(answer.error);
}

/** Sends a body by PUT, and gives status and answer. */
export function put(
  url: string,
  address: string,
  body: Buffer | Readable,
): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((go, fail) => {
    const sent = request(new URL(address, url), { method: 'PUT' }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => {
        go({ status: answer.statusCode ?? 0, body: JSON.parse(text || '{}') });
        sent.destroy();
      });
    });
    sent.on('error', fail);
    if (Buffer.isBuffer(body)) sent.end(body);
    else body.pipe(sent);
  });
}

/** Stores a file as an agent does. Gives the answer to its confirmation. */
export async function store(
  { runner, url }: { runner: ScriptedAgent; url: string },
  file: { server_id: string; name: string },
  content: Buffer,
): Promise<Answer> {
  const address = await addressFor(runner, { ...file, direction: 'to' });
  const answer = await put(url, address, content);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return await asks(runner, 'backup.commit', { address, bytes: content.length, sha256: sumOf(content) });
}

/** A backup at the platform in this state, without an agent; a new one has the operation that makes it. */
export async function platformBackup(
  sql: Pool,
  server_id: string,
  given: { state?: string; sha256?: string; engine?: string; target?: string; store?: string } = {},
): Promise<string> {
  const id = randomUUID().replaceAll('-', '').slice(0, 8);
  const { state = 'creating', target = 'platform', engine = 'archive' } = given;
  const rest = ['queued', 'creating', 'failed', 'cancelled'].includes(state) ? null : 'done';
  const row = { id, server_id, name: `Backup ${id}`, state, rest, reason: 'user', created: new Date() };
  const { sha256 = null, store = null } = given;
  await sql`
    insert into server_backups ${sql({ ...row, game_version: '1.16.5', engine, target, sha256, store })}`;
  return id;
}
