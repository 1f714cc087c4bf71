import { createHash } from 'node:crypto';
import type { APIRequestContext } from 'playwright/test';
import { zipOf } from '../db/testing/zips.ts';
import { type Account, newAccount } from './accounts.ts';
import { cairn } from './cairn.ts';

/** Projects that servers load, made through the API as creators do. */

interface Published {
  id: string;
  slug: string;
}
interface Made extends Published {
  version_id: string;
  file: { filename: string; bytes: number; sha1: string; sha512: string; url: string };
}
interface Wanted {
  name: string;
  /** Number of the version, and name of its file. */
  version_number: string;
  file_name: string;
  game_version: string;
  /** Ids of projects that it needs. */
  needs?: readonly string[];
}

let account: Promise<Account> | null = null;
/** The token of the creator of everything here, one for a worker. */
const creator = async (): Promise<string> => {
  account ??= newAccount('creator');
  return (await account).token;
};

const versionOf = ({ name, version_number, game_version, needs = [] }: Wanted, loaders: string[]) => ({
  ...{ name, version_number, changelog: 'Everything is *new*.', version_type: 'release', featured: false },
  dependencies: needs.map((project_id) => ({ project_id, dependency_type: 'required' })),
  ...{ game_versions: [game_version], loaders, file_parts: ['file'] },
});

async function answerOf<T>(answer: Awaited<ReturnType<APIRequestContext['post']>>): Promise<T> {
  if (!answer.ok()) throw new Error(await answer.text());
  return (await answer.json()) as T;
}
interface ApiVersion {
  id: string;
  files: { filename: string; size: number; url: string; hashes: { sha1: string; sha512: string } }[];
}
const madeOf = (project: Published, { id, files: [file] }: ApiVersion): Made => ({
  ...project,
  version_id: id,
  file: { filename: file!.filename, bytes: file!.size, url: file!.url, ...file!.hashes },
});

/** A jar that a loader for mods takes. Its content differs by name and version, so that its hash does too. */
const jarOf = (slug: string, { name, version_number }: Wanted): Promise<Buffer> =>
  zipOf({ 'fabric.mod.json': JSON.stringify({ schemaVersion: 1, id: slug, version: version_number, name }) });

async function publish(
  request: APIRequestContext,
  wanted: Wanted,
  given: { project_type: 'mod' | 'modpack'; file: Buffer; mimeType: string },
): Promise<Made> {
  const token = await creator();
  const slug = `${wanted.name.toLowerCase().replace(/\W+/g, '-')}`;
  const { project_type, file, mimeType } = given;
  const data = {
    ...{ slug, title: wanted.name, description: 'Stones in rows', body: 'Look at the stones.' },
    ...{ project_type, client_side: 'optional', server_side: 'required' },
    ...{ categories: [project_type === 'mod' ? 'utility' : 'lightweight'], license_id: 'MIT' },
    initial_versions: [versionOf(wanted, ['fabric'])],
  };
  const { id } = await answerOf<{ id: string }>(
    await request.post('/v2/project', {
      headers: { authorization: token },
      multipart: { data: JSON.stringify(data), file: { name: wanted.file_name, mimeType, buffer: file } },
    }),
  );
  await cairn('project', 'status', slug, 'approved');
  const [version] = await answerOf<ApiVersion[]>(await request.get(`/v2/project/${id}/version`));
  return madeOf({ id, slug }, version!);
}

/** A public mod for Fabric with one version. */
export const publishMod = async (request: APIRequestContext, wanted: Wanted): Promise<Made> =>
  publish(request, wanted, {
    ...{ project_type: 'mod', mimeType: 'application/java-archive' },
    file: await jarOf(wanted.name, wanted),
  });

/** A further version of a mod. */
export async function publishVersion(
  request: APIRequestContext,
  project: Published,
  wanted: Wanted,
): Promise<Made> {
  const data = { ...versionOf(wanted, ['fabric']), project_id: project.id };
  const buffer = await jarOf(project.slug, wanted);
  const made = await answerOf<ApiVersion>(
    await request.post('/v2/version', {
      headers: { authorization: await creator() },
      multipart: {
        data: JSON.stringify(data),
        file: { name: wanted.file_name, mimeType: 'application/java-archive', buffer },
      },
    }),
  );
  return madeOf(project, made);
}

/** A public modpack with these mods and a file of its own. */
export async function publishPack(
  request: APIRequestContext,
  wanted: Wanted,
  mods: readonly Made[],
): Promise<Made> {
  const index = {
    ...{ game: 'minecraft', formatVersion: 1, versionId: wanted.version_number, name: wanted.name },
    dependencies: { minecraft: wanted.game_version, 'fabric-loader': '0.16.9' },
    files: mods.map(({ file }) => ({
      path: `mods/${file.filename}`,
      hashes: { sha1: file.sha1, sha512: file.sha512 },
      ...{ downloads: [file.url], fileSize: file.bytes },
    })),
  };
  const own = `made = "${createHash('sha1').update(wanted.name).digest('hex')}"\n`;
  const file = await zipOf({
    'modrinth.index.json': JSON.stringify(index),
    'overrides/config/stones.toml': own,
  });
  return publish(request, wanted, {
    ...{ project_type: 'modpack', mimeType: 'application/x-modrinth-modpack+zip', file },
  });
}
