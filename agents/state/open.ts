import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Schema of the agent's database. A server's row holds its specification and its stored state as JSON. */
const schema = `
  create table if not exists meta (name text primary key, value text not null) strict;
  create table if not exists servers (
    id text primary key,
    generation integer not null,
    hash text not null,
    spec text,
    facts text not null,
    uid integer not null unique,
    gone integer not null default 0
  ) strict;
  create table if not exists operations (
    id text primary key,
    server_id text not null,
    kind text not null,
    args text not null,
    state text not null,
    result text not null default '{}',
    accepted real not null,
    ended real
  ) strict;
  create table if not exists events (
    seq integer primary key autoincrement,
    server_id text,
    type text not null,
    at text not null,
    data text not null
  ) strict;
  create table if not exists consoles (
    server_id text primary key,
    epoch text not null,
    first text not null,
    seq integer not null,
    at real not null
  ) strict;
  create table if not exists typed (
    server_id text not null,
    epoch text not null,
    seq integer not null,
    at real not null,
    text text not null,
    -- a line of the console that nobody typed has another one
    stream text not null default 'in',
    primary key (server_id, epoch, seq)
  ) strict;
  -- lines of the process that the console leaves out
  create table if not exists hidden (
    server_id text not null,
    epoch text not null,
    seq integer not null,
    lines integer not null,
    primary key (server_id, epoch, seq)
  ) strict;
  create table if not exists journal (
    server_id text not null,
    kind text not null,
    data text not null,
    primary key (server_id, kind)
  ) strict;
  pragma user_version = 4;
`;

/** Another process has this database open: two agents must not act for one node on one machine. */
export class StateLocked extends Error {}

/**
 * Opens the database in `folder` for this process alone. Writes are on the disk before the call returns, so a killed
 * agent loses nothing it acknowledged. Throws `StateLocked` while another process has it open.
 */
export function openDatabase(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(folder, 'journal.sqlite'));
  try {
    // exclusive from the first read on, and no shared memory file
    db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;');
    db.exec(`begin immediate; ${schema} commit;`);
  } catch (error) {
    db.close();
    if (/locked/.test(String(error))) throw new StateLocked(`Another agent uses ${folder} already.`);
    throw error;
  }
  return db;
}

/** Runs `work` in one transaction. May be nested; the outermost transaction counts. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/**
 * Runs `work` without waiting for the disk: its writes survive the end of this process, perhaps not a power failure.
 * For data that was not acknowledged to anybody.
 */
export function withoutSync<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('pragma synchronous = normal');
  try {
    return work();
  } finally {
    db.exec('pragma synchronous = full');
  }
}
