import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { many as projectsByIds } from '#db/projects/read.ts';
import { projectShape } from '#db/projects/shape.ts';
import {
  byHash,
  byHashes,
  existingFile,
  filesByHashes,
  type UpdateAsk,
  updates,
} from '#db/versions/hashes.ts';
import { removeFile } from '#db/versions/remove.ts';
import {
  hashesShape,
  hashParams,
  hashQuery,
  individualShape,
  updateShape,
  updatesShape,
  type Version,
  versionShape,
} from '#db/versions/shape.ts';
import { clear } from '#db/versions/storing.ts';
import { type Api, guarded, open } from '../endpoint.ts';

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
  open(api, {
    ...one,
    method: 'get',
    path,
    summary: 'Get the version that holds a file',
    reads: ['VERSION_READ'],
    answer: versionShape,
    handle: async ({ sql, params, query, actor }) => found(await byHash(sql, params.hash, query, actor)),
  });
  open(api, {
    ...one,
    method: 'get',
    path: `${path}/download`,
    summary: 'Go to the address of a file',
    reads: ['VERSION_READ'],
    answer: z.object({ url: z.url() }),
    handle: async ({ sql, params, query, actor }) => {
      const { url } = found((await filesByHashes(sql, [params.hash], query, actor)).get(params.hash)).file;
      return Response.json({ url }, { status: 307, headers: { location: url } });
    },
  });
  open(api, {
    ...one,
    method: 'post',
    path: `${path}/update`,
    summary: 'Get the best version of the project that holds a file',
    reads: ['VERSION_READ'],
    body: updateShape,
    answer: versionShape,
    handle: async ({ sql, params, query, body, actor }) => {
      const best = await updates(
        sql,
        [{ hash: params.hash, ...body }],
        { ...query, order: 'ordering' },
        actor,
      );
      return found(best.get(params.hash)?.[0]);
    },
  });
  guarded(api, {
    ...one,
    method: 'delete',
    path,
    summary: 'Delete a file of a version, not its last one',
    needs: ['VERSION_WRITE'],
    handle: async ({ sql, services, params, query, actor, begin }) => {
      const file = found(await existingFile(sql, params.hash, query));
      const place = await begin(async (tx) => await removeFile(tx, actor, file));
      await clear(begin, services.storage, [place]).catch((error: unknown) => {
        services.log.warn({ err: error, ...place }, 'A deleted file stays until the next sweep');
      });
      return undefined;
    },
  });
}

function manyHashes(api: Api): void {
  open(api, {
    method: 'post',
    path: '/version_files',
    summary: 'Get the versions that hold these files, by hash',
    tag,
    reads: ['VERSION_READ'],
    body: hashesShape,
    answer: byHashShape,
    handle: async ({ sql, body, actor }) => Object.fromEntries(await byHashes(sql, body.hashes, body, actor)),
  });
  open(api, {
    method: 'post',
    path: '/version_file/project',
    summary: 'Get the projects whose versions hold these files, by hash',
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    body: hashesShape,
    answer: z.record(z.string(), projectShape),
    handle: async ({ sql, body, actor }) => {
      const versions = [...(await byHashes(sql, body.hashes, body, actor))];
      const ids = new Set(versions.map(([, { project_id }]) => project_id));
      const projects = new Map(
        (await projectsByIds(sql, [...ids], actor)).map((project) => [project.id, project]),
      );
      return Object.fromEntries(
        versions.flatMap(([hash, { project_id }]) => {
          const project = projects.get(project_id);
          return project ? [[hash, project]] : [];
        }),
      );
    },
  });
}

function manyUpdates(api: Api): void {
  open(api, {
    method: 'post',
    path: '/version_files/update',
    summary: 'Get the newest version that passes the filters, by hash',
    tag,
    body: updatesShape,
    answer: byHashShape,
    handle: async ({ sql, body }) => first(await updates(sql, asks(body), { ...body, order: 'date' }, null)),
  });
  open(api, {
    method: 'post',
    path: '/version_files/update_many',
    summary: 'As update, one entry for each version that holds the file',
    tag,
    body: updatesShape,
    answer: z.record(z.string(), z.array(versionShape)),
    handle: async ({ sql, body }) =>
      Object.fromEntries(await updates(sql, asks(body), { ...body, order: 'date' }, null)),
  });
  open(api, {
    method: 'post',
    path: '/version_files/update_individual',
    summary: 'As update, with filters of their own for every hash',
    tag,
    reads: ['VERSION_READ'],
    body: individualShape,
    answer: byHashShape,
    handle: async ({ sql, body: { hashes, algorithm }, actor }) =>
      first(await updates(sql, hashes, { algorithm, order: 'date' }, actor)),
  });
}

const asks = ({ hashes, ...filters }: z.output<typeof updatesShape>): UpdateAsk[] =>
  [...new Set(hashes)].map((hash) => ({ ...filters, hash }));

const first = (versions: Map<string, Version[]>) =>
  Object.fromEntries([...versions].map(([hash, list]) => [hash, list[0]!]));

const found = <T>(item: T | null | undefined): T => {
  if (item === null || item === undefined) throw new Refused('not_found');
  return item;
};
