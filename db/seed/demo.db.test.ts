import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../files/archive.ts';
import { diskStorage } from '../storage/disk.ts';
import { versionFileKey } from '../storage/url.ts';
import { gameVersions } from '../tags/read.ts';
import { categoriesOf } from '../tags/rules.ts';
import { testDatabase } from '../test-database.ts';
import { createRenderer } from '../text/render.ts';
import { planned } from './demo/plan.ts';
import { seedDemo } from './demo.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-demo-'));
const storage = diskStorage(folder);
const renderer = createRenderer();

beforeAll(async () => {
  await seedDemo({ sql: database.sql, storage, renderer, now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the demo catalogue', () => {
  it('holds sixty approved projects, ten of each type', async () => {
    const rows = await database.sql<{ type: string; count: number }[]>`
      select project_types[1] as type, count(*)::int from projects where status = 'approved' group by 1 order by 1`;
    expect(rows).toEqual(
      ['datapack', 'mod', 'modpack', 'plugin', 'resourcepack', 'shader'].map((type) => ({ type, count: 10 })),
    );
  });

  it('uses only categories that its project types have', () => {
    for (const { slug, type, categories } of planned()) {
      const known = categoriesOf([type]).map(({ name }) => name);
      expect(
        categories.filter((name) => !known.includes(name)),
        slug,
      ).toEqual([]);
    }
  });

  it('shows no icon twice within forty projects', () => {
    const pairs = planned().map(({ motif, palette }) => `${motif} ${palette}`);
    for (const [at, pair] of pairs.entries())
      expect(pairs.slice(Math.max(0, at - 40), at)).not.toContain(pair);
  });

  it('has only archives that our own checks accept', async () => {
    const known = new Map((await gameVersions(database.sql)).map((one) => [one.version, one]));
    const files = await database.sql<
      {
        version_id: string;
        project_id: string;
        filename: string;
        size: number;
        sha1: string;
        sha512: string;
        loaders: string[];
        game_versions: string[];
      }[]
    >`
      select v.id as version_id, v.project_id, f.filename, f.size, f.sha1, f.sha512, v.loaders, v.game_versions
      from files f join versions v on v.id = f.version_id`;
    expect(files.length).toBeGreaterThan(180);
    for (const file of files) {
      const path = join(storage.root!, versionFileKey(file.project_id, file.version_id, file.filename));
      const version = {
        loaders: file.loaders,
        game_versions: file.game_versions.map((name) => known.get(name)!),
        file_type: null,
      };
      const { problem, warning } = await inspect({ filename: file.filename, path }, version);
      expect({ file: file.filename, problem, warning }).toEqual({
        file: file.filename,
        problem: null,
        warning: null,
      });
    }
  });

  it('can be sown again after a run that was cut off before its rows', async () => {
    await database.sql`truncate users, projects, teams cascade`;
    const again = await seedDemo({ sql: database.sql, storage, renderer, now: () => new Date() });
    expect(again.projects).toBe(60);
  });
});
