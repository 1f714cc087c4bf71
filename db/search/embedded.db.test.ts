import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as build from '../seed/build.ts';
import { testDatabase } from '../test-database.ts';
import { type Limits } from './embedded/keeper-limits.ts';
import { generationsIn } from './embedded/snapshots.ts';
import { openEmbedded } from './embedded.ts';
import type { Query, SearchEngine } from './engine.ts';
import { postgresEngine } from './postgres.ts';

const database = testDatabase();
const log = pino({ level: process.env.SHOW ?? 'silent' });
let root: string;
let folder: string;
let fallback: ReturnType<typeof postgresEngine>;
const open: Array<ReturnType<typeof openEmbedded>> = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-search-'));
  fallback = postgresEngine(database.sql);
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'search-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ engine }) => engine.close()));
});
afterAll(() => rmSync(root, { recursive: true }));

function started(limits: Partial<Limits> = {}) {
  const { sql, address, name } = database;
  const one = openEmbedded({ sql, connect: { address, database: name }, folder, fallback, log, limits });
  open.push(one);
  return one;
}

const query = (text: string, more: Partial<Query> = {}): Query => ({
  ...{ text, filter: null, sort: 'relevance', offset: 0, limit: 20 },
  ...more,
});
const titled = async (engine: SearchEngine, text: string): Promise<string[]> =>
  (await engine.search(query(text))).ids;
const patience = { timeout: 15_000, interval: 20 };
const answering = (engine: SearchEngine) =>
  vi.waitFor(() => expect(engine.status().engine).toBe('embedded'), patience);

describe('the embedded engine', () => {
  it('builds a snapshot when there is none and then answers from it', async () => {
    const project = await build.project(database.sql, { title: 'First Lantern' });
    const { engine } = started();
    await answering(engine);
    expect(await titled(engine, 'lantern')).toEqual([project.id]);
    expect(generationsIn(folder)).toHaveLength(1);
  });
});
