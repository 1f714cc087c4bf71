import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { Refused } from '../errors.ts';
import { connect } from './sql.ts';
import { toRefused } from './to-refused.ts';

const database = testDatabase();
const codeOf = async (work: Promise<unknown>) =>
  toRefused(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  )?.code ?? null;

describe('toRefused', () => {
  it('returns a refusal unchanged', () => {
    const refused = new Refused('not_found');
    expect(toRefused(refused)).toBe(refused);
  });

  it('maps a unique constraint to its refusal', async () => {
    const add = (id: string) => database.sql`insert into users (id, username) values (${id}, 'Ada')`;
    await add('AAAAAAAA');
    expect(await codeOf(add('BBBBBBBB'))).toBe('username_taken');
  });

  it('maps text with U+0000 to invalid input', async () => {
    expect(await codeOf(database.sql`select ${'a\0b'}::text`)).toBe('invalid_input');
  });

  it('maps a reference to what is gone to not found, and the deletion of what is referred to to busy', async () => {
    const { sql } = database;
    const { id, team, owner } = await build.project(sql);
    const follow = async (row: object) => await codeOf(sql`insert into follows ${sql(row)}`);
    expect(await follow({ user_id: 'ZZZZZZZZ', project_id: id })).toBe('not_found');
    expect(await follow({ user_id: owner.id, project_id: 'ZZZZZZZZ' })).toBe('not_found');
    expect(await codeOf(sql`delete from teams where id = ${team}`)).toBe('busy');
  });

  it('asks the loser of a deadlock to try again', async () => {
    await database.sql`insert into teams (id) values ('CCCCCCCC'), ('DDDDDDDD')`;
    const lock = async (first: string, second: string, met: Promise<void>, here: () => void) =>
      database.sql.begin(async (tx) => {
        await tx`select 1 from teams where id = ${first} for update`;
        here();
        await met;
        await tx`select 1 from teams where id = ${second} for update`;
      });
    const one = Promise.withResolvers<void>();
    const two = Promise.withResolvers<void>();
    const codes = await Promise.all([
      codeOf(lock('CCCCCCCC', 'DDDDDDDD', two.promise, one.resolve)),
      codeOf(lock('DDDDDDDD', 'CCCCCCCC', one.promise, two.resolve)),
    ]);
    expect(codes.sort()).toEqual(['busy', null]);
  });

  it('reports an unavailable database, whatever the cause', async () => {
    const nowhere = connect({ address: '/nowhere', max: 1 });
    expect(await codeOf(nowhere`select 1`)).toBe('database_away');
    const ended = connect({ address: database.address, database: database.name, max: 1 });
    expect(await codeOf(ended`select pg_terminate_backend(pg_backend_pid())`)).toBe('database_away');
    await ended.end({ timeout: 1 });
    expect(await codeOf(ended`select 1`)).toBe('database_away');
    expect(await codeOf(readFile('/nowhere'))).toBeNull();
  });

  it('gives null for internal errors', async () => {
    expect(await codeOf(database.sql`select nothing from nowhere`)).toBeNull();
  });
});
