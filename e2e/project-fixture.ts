import type { APIRequestContext } from 'playwright/test';
import sharp from 'sharp';
import { changeStatus } from '../db/catalogue/projects/change-status.ts';
import { lockProject } from '../db/catalogue/projects/locked.ts';
import { projectRef } from '../db/catalogue/projects/read.ts';
import type { Status } from '../db/catalogue/projects/rules.ts';
import { demoAccounts } from '../db/demo/demo.ts';
import { operator } from '../db/platform/people/rules.ts';
import { token as tokenOf } from '../db/testing/builders/build.ts';
import { zipOf } from '../db/testing/zips.ts';
import { withDatabase } from './database.ts';

export interface ProjectFixture {
  path: string;
  slug: string;
  /** The owner's token, with every scope. */
  token: string;
}

interface Given {
  /** How many images of 1600 by 900; the fourth has no title, the second a description. */
  pictures?: number;
  /** How many versions, all with the same changelog. */
  versions?: number;
}

/** A public project that no other test uses, made through the API as creators do. */
export async function projectFixture(
  request: APIRequestContext,
  name: string,
  { pictures = 0, versions = 1 }: Given,
): Promise<ProjectFixture> {
  const slug = `${name}-${Date.now().toString(36)}`;
  const token = await tokenOfUser(demoAccounts[2]!);
  const places = Array.from({ length: pictures }, (_, place) => place);
  const numbers = Array.from({ length: versions }, (_, place) => `1.0.${place}`);
  const data = {
    slug,
    title: `Made ${slug}`,
    description: 'Stones in rows, and what lies behind them',
    body: 'Look at the pictures.',
    project_type: 'mod',
    client_side: 'required',
    server_side: 'optional',
    categories: ['utility'],
    license_id: 'MIT',
    initial_versions: numbers.map((version_number) => ({
      name: 'Stones',
      version_number,
      changelog: 'Everything is *new*.',
      dependencies: [],
      game_versions: ['1.21.1'],
      version_type: 'release',
      loaders: ['fabric'],
      featured: false,
      file_parts: [version_number],
    })),
    gallery_items: places.map((place) => ({
      item: `picture${place}`,
      featured: place === 0,
      name: place === 3 ? null : `View ${place + 1}`,
      description: place === 1 ? 'Lantern roots brighten as the moon does.' : null,
      ordering: place,
    })),
  };
  const parts: Record<string, { name: string; mimeType: string; buffer: Buffer }> = {};
  for (const place of places)
    parts[`picture${place}`] = { name: `${place}.png`, mimeType: 'image/png', buffer: await picture(place) };
  for (const version of numbers) {
    const about = JSON.stringify({ schemaVersion: 1, id: slug, version, name });
    const buffer = await zipOf({ 'fabric.mod.json': about });
    parts[version] = { name: `${slug}-${version}.jar`, mimeType: 'application/java-archive', buffer };
  }
  const answer = await request.post('/v2/project', {
    headers: { authorization: token },
    multipart: { data: JSON.stringify(data), ...parts },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  await setStatus(slug, 'approved');
  return { path: `/mod/${slug}`, slug, token };
}

/** Gives a project a status with the rights of an administrator, as `cairn project status` does. */
export const setStatus = (slug: string, to: Status): Promise<void> =>
  withDatabase((sql) =>
    sql.begin(async (tx) => {
      const found = await projectRef(tx, slug);
      const project = await lockProject(tx, found!.id, operator);
      await changeStatus(tx, operator, project, { to, api: 2, now: new Date() });
    }),
  );

/** A token with every scope of an account that exists. */
export const tokenOfUser = (username: string): Promise<string> =>
  withDatabase(async (sql) => {
    const [user] = await sql<Array<{ id: string }>>`select id from users where username = ${username}`;
    return await tokenOf(sql, user!);
  });

const hues = ['#1d6b4f', '#8a4f24', '#3b4f8c', '#7c2f4b', '#5c6b1d', '#285f6b', '#6b3d8c', '#8c7a2f'];

/** Waves in one color, each image different. */
function picture(place: number): Promise<Buffer> {
  const waves = Array.from(
    { length: place + 1 },
    (_, wave) =>
      `<path d="M0 ${80 - wave * 9} q40 -${14 + wave} 80 0 t80 0 V90 H0Z" fill="#fff" opacity=".12"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90" width="1600" height="900"><rect width="160" height="90" fill="${hues[place % hues.length]}"/>${waves.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
