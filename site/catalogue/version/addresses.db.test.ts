import { beforeAll, describe, expect, test } from 'vitest';
import { projectsByIds } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { versionLabels } from '#db/catalogue/versions/labels.ts';
import { pageVersion, versionsOfProject } from '#db/catalogue/versions/read.ts';
import { recent } from '#db/catalogue/versions/recent.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { detailsOf, detailsPath, requestedVersion, versionAddress, versionPath } from './version-address.ts';

/** Every way to write the address of a version leads to that version, whatever its number is. */
const database = testDatabase();
const services = () => ({ sql: database.sql, settings: parseSettings({}) });

const numbers = [
  ...[
    'create',
    'latest',
    'edit',
    'package',
    '.',
    '..',
    '...',
    '-new',
    '1.0',
    '1.0-new',
    '1.0-new-new',
    '2.0',
  ],
  ...['2.0', '1.0+x', '1,0', '$1', '@1', '`1`', '"1"', '(1)', '!', 'index.html', 'versions.atom', 'Create'],
];
let project: Project;
let ids: string[];
beforeAll(async () => {
  const { sql } = database;
  const made = await build.project(sql);
  const version = async (day: number, version_number: string) =>
    (await build.version(sql, made, { version_number, date_published: new Date(Date.UTC(2025, 0, day)) })).id;
  ids = [];
  for (const [at, number] of numbers.entries()) ids.push(await version(at + 1, number));
  ids.push(await version(60, ids[0]!)); // a number that is the id of a sibling, and one older than that
  ids.push(await version(61, ids[1]!), await version(1, ids[2]!));
  [project] = (await projectsByIds(services(), [made.id], null)) as [Project];
});

const lastPart = (path: string) => requestedVersion(path.split('/').at(-1));
const opened = async (path: string) => {
  const end = lastPart(path);
  if (['.', '..', 'create'].includes(end)) return 'another page';
  return (await pageVersion(services(), project.id, end, null))?.version.id;
};

describe('the address of a version', () => {
  const ways: Record<string, () => Promise<Map<string, string>>> = {
    'beside all others': async () => {
      const all = await versionsOfProject(services(), project.id, { include_changelog: false }, null);
      return new Map(all.map((one) => [one.id, versionAddress(project, one, all)]));
    },
    'on its own page': async () => {
      const found = await Promise.all(ids.map((id) => pageVersion(services(), project.id, id, null)));
      return new Map(found.map((one) => [one!.version.id, versionPath(project, one!.version, one!.by_id)]));
    },
    'in feeds': async () => {
      const found = await recent(database.sql, project.id, 100);
      return new Map(found.map((one) => [one.id, versionPath(project, one, one.by_id)]));
    },
    'in notifications and mails': async () => {
      const found = await versionLabels(database.sql, ids);
      return new Map([...found].map(([id, one]) => [id, versionPath(project, one, one.by_id)]));
    },
  };

  test.each(Object.keys(ways))('%s opens it', async (way) => {
    const addresses = await ways[way]!();
    expect([...addresses.keys()].sort()).toEqual([...ids].sort());
    for (const [id, path] of addresses) expect([id, path, await opened(path)]).toEqual([id, path, id]);
  });

  test('is the same everywhere', async () => {
    const [first, ...others] = await Promise.all(
      Object.values(ways).map(async (way) => [...(await way())].sort()),
    );
    for (const other of others) expect(other).toEqual(first);
  });
});

test('the address of the details of a version opens its details', async () => {
  for (const id of ids) {
    const { version, details_by_id } = (await pageVersion(services(), project.id, id, null))!;
    const path = detailsPath(versionPath(project, version, details_by_id));
    expect([path, await opened(path)]).toEqual([path, undefined]); // no version has that number
    const inside = detailsOf(lastPart(path))!;
    expect([path, (await pageVersion(services(), project.id, inside, null))?.version.id]).toEqual([path, id]);
  }
});
