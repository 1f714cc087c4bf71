import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { removeOrphans } from '#db/files/stored-files.ts';
import { projectsByKeys } from '#db/projects/pages.ts';
import { projectShape } from '#db/projects/shape.ts';
import {
  byHash,
  byHashes,
  existingFile,
  fileByHash,
  type Match,
  projectIdsByHashes,
  type UpdateQuery,
  updates,
  versionsByHash,
} from '#db/versions/hashes.ts';
import { versionsByIds } from '#db/versions/pages.ts';
import { removeFile } from '#db/versions/remove.ts';
import {
  hashesShape,
  hashParams,
  hashQuery,
  individualShape,
  updateShape,
  updatesShape,
  versionShape,
} from '#db/versions/shape.ts';
import { authenticatedRoute, publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';
import { streamedLists, streamedRecord } from '../streamed.ts';

const tag = 'version files';
const byHashShape = z.record(z.string(), versionShape);

/** Versions by the hashes of their files. Source: api-v2 §6. */
export function versionFileRoutes(api: Api): void {
  oneHash(api);
  manyHashes(api);
  manyUpdates(api);
}

function oneHash(api: Api): void {
  const path = '/version_file/{hash}';
  const one = { tag, params: hashParams, query: hashQuery };
  publicRoute(api, {
    ...one,
    method: 'get',
    path,
    summary: 'Get the version that contains a file',
    reads: ['VERSION_READ'],
    answer: versionShape,
    handle: async ({ services, params, query, actor }) =>
      orNotFound(await byHash(services, params.hash, query, actor)),
  });
  publicRoute(api, {
    ...one,
    method: 'get',
    path: `${path}/download`,
    summary: 'Redirect to the download address of a file',
    reads: ['VERSION_READ'],
    answer: z.object({ url: z.url() }),
    handle: async ({ services, params, query, actor }) => {
      const { url } = orNotFound(await fileByHash(services, params.hash, query, actor)).file;
      return Response.json({ url }, { status: 307, headers: { location: url } });
    },
  });
  publicRoute(api, {
    ...one,
    method: 'post',
    path: `${path}/update`,
    summary: 'Get the newest matching version of the project that contains a file',
    reads: ['VERSION_READ'],
    body: updateShape,
    answer: versionShape,
    handle: async ({ sql, services, params, query, body, actor }) => {
      const request = { hash: params.hash, ...body };
      const [best] = await updates(sql, [request], { ...query, order: 'ordering' }, actor);
      return orNotFound(best && (await versionsByIds(services, [best])).get(best.id));
    },
  });
  authenticatedRoute(api, {
    ...one,
    method: 'delete',
    path,
    summary: 'Delete a file of a version, except its last one',
    needs: ['VERSION_WRITE'],
    handle: async ({ sql, services, params, query, actor, begin }) => {
      const file = orNotFound(await existingFile(sql, params.hash, query));
      const position = await begin(async (tx) => await removeFile(tx, actor, file));
      await removeOrphans(begin, services.storage, [position]).catch((error: unknown) => {
        services.log.warn(
          { err: error, ...position },
          'A deleted file could not be removed from storage; the next garbage collection removes it',
        );
      });
      return undefined;
    },
  });
}

function manyHashes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/version_files',
    summary: 'Get the versions that contain these files, by hash',
    tag,
    reads: ['VERSION_READ'],
    body: hashesShape,
    answer: byHashShape,
    handle: async ({ services, body, actor }) =>
      await streamedRecord(versionShape, await byHashes(services, body.hashes, body, actor)),
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_file/project',
    summary: 'Get the projects whose versions contain these files, by hash',
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    body: hashesShape,
    answer: z.record(z.string(), projectShape),
    handle: async ({ sql, services, body, actor }) => {
      const found = await projectIdsByHashes(sql, body.hashes, body, actor);
      return await streamedRecord(projectShape, projectsByKeys(services, found, actor));
    },
  });
}

function manyUpdates(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update',
    summary: 'Get the newest version that matches the filters, by hash',
    tag,
    body: updatesShape,
    answer: byHashShape,
    handle: async ({ sql, services, body }) => {
      const best = await updates(sql, queriesOf(body), { ...body, order: 'date' }, null);
      return await streamedRecord(versionShape, versionsByHash(services, first(best)));
    },
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update_many',
    summary: 'As update, one entry for each version that contains the file',
    tag,
    body: updatesShape,
    answer: z.record(z.string(), z.array(versionShape)),
    handle: async ({ sql, services, body }) => {
      const best = await updates(sql, queriesOf(body), { ...body, order: 'date' }, null);
      return await streamedLists(versionShape, versionsByHash(services, best));
    },
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update_individual',
    summary: 'As update, with separate filters for every hash',
    tag,
    reads: ['VERSION_READ'],
    body: individualShape,
    answer: byHashShape,
    handle: async ({ sql, services, body: { hashes, algorithm }, actor }) => {
      const best = await updates(sql, hashes, { algorithm, order: 'date' }, actor);
      return await streamedRecord(versionShape, versionsByHash(services, first(best)));
    },
  });
}

const queriesOf = ({ hashes, ...filters }: z.output<typeof updatesShape>): UpdateQuery[] =>
  [...new Set(hashes)].map((hash) => ({ ...filters, hash }));

const first = (matches: readonly Match[]): Match[] => {
  const hashes = new Set<string>();
  return matches.filter(({ hash }) => hashes.size < hashes.add(hash).size);
};

const orNotFound = <T>(item: T | null | undefined): T => {
  if (item === null || item === undefined) throw new Refused('not_found');
  return item;
};
