import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { type UploadQuota, uploadQuota } from '#db/files/quota.ts';
import { removeOrphans, withStoredFiles } from '#db/files/stored-files.ts';
import type { Actor } from '#db/people/rules.ts';
import { idShape } from '#db/shape.ts';
import { type RequestRenderer, rendererFor } from '#db/text/rendered.ts';
import { revised } from '#db/text/revision.ts';
import { addFiles, assertMayAddFiles, prepareFiles } from '#db/versions/add-file.ts';
import { editVersion, mayEdit } from '#db/versions/edit.ts';
import { newFiles, prepare } from '#db/versions/prepare.ts';
import { listMany, listOfProject, versionById, versionByNumber } from '#db/versions/read.ts';
import { removeVersion } from '#db/versions/remove.ts';
import { limits } from '#db/versions/rules.ts';
import {
  addFileShape,
  changelogQuery,
  createShape,
  editShape,
  filtersShape,
  type Version,
  versionShape,
} from '#db/versions/shape.ts';
import { assertMayPublish, publishVersion } from '#db/versions/write.ts';
import type { AppServices } from '../../context.ts';
import { authenticatedRoute, jsonText, parse, publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';
import { streamedArray } from '../streamed.ts';
import { type Received, receive } from '../upload/upload.ts';

const tag = 'versions';
const params = z.object({ id: idShape });
const inProject = z.object({ id: z.string() });

/** The version routes of v2, except those by hash. Source: api-v2 §5. */
export function versionRoutes(api: Api): void {
  reads(api);
  creates(api);
  changes(api);
}

function reads(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/version/{id}',
    summary: 'Get a version',
    tag,
    reads: ['VERSION_READ'],
    params,
    answer: versionShape,
    handle: async ({ services, params, actor }) => orNotFound(await versionById(services, params.id, actor)),
  });
  publicRoute(api, {
    method: 'get',
    path: '/versions',
    summary: 'Get several versions; unknown and hidden ones are left out',
    tag,
    reads: ['VERSION_READ'],
    query: changelogQuery.extend({ ids: jsonText(z.array(idShape).max(limits.ids)) }),
    answer: z.array(versionShape),
    handle: async ({ services, query, actor }) =>
      await streamedArray(
        versionShape,
        await listMany(services, query.ids, actor, { changelog: query.include_changelog }),
      ),
  });
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/version',
    summary: "List a project's versions, newest first",
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    params: inProject,
    query: filtersShape,
    answer: z.array(versionShape),
    handle: async ({ services, params, query, actor }) =>
      await streamedArray(versionShape, await listOfProject(services, params.id, query, actor)),
  });
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/version/{number}',
    summary: "Get a project's version by its id or number",
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    params: inProject.extend({ number: z.string() }),
    answer: versionShape,
    handle: async ({ services, params, actor }) =>
      orNotFound(await versionByNumber(services, params.id, params.number, actor)),
  });
}

function creates(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/version',
    summary: 'Publish a version: the part data first, then its files',
    tag,
    create_errors: true,
    needs: ['VERSION_CREATE'],
    multipart: createShape,
    answer: versionShape,
    handle: async ({ sql, services, request, actor, begin, now }) => {
      const accepted = await receiveWith(request, services, createShape, {
        quota: await uploadQuota(sql, actor.user_id, now),
        check: async ({ project_id }) => await assertMayPublish(sql, project_id, actor),
        parts: ({ file_parts }) => file_parts,
      });
      try {
        const { data, files } = accepted;
        const prepared = await prepare(
          { ...services, renderer: rendererOf(services, actor, request) },
          data,
          files,
        );
        const id = await withStoredFiles(
          begin,
          services.storage,
          newFiles(data.project_id, prepared),
          async (tx) => await publishVersion(tx, actor, data.project_id, prepared, services.now()),
        );
        return withoutFileIds(orNotFound(await versionById(services, id, actor)));
      } finally {
        await accepted.discard();
      }
    },
  });
  authenticatedRoute(api, {
    method: 'post',
    path: '/version/{id}/file',
    summary: 'Add files to a version: the part data first, then the files',
    tag,
    create_errors: true,
    needs: ['VERSION_WRITE'],
    params,
    multipart: addFileShape,
    handle: async ({ sql, services, params, request, actor, begin, now }) => {
      const accepted = await receiveWith(request, services, addFileShape, {
        quota: await uploadQuota(sql, actor.user_id, now),
        check: async () => await assertMayAddFiles(sql, params.id, actor),
      });
      try {
        const { files, stored } = await prepareFiles(
          services,
          params.id,
          accepted.files,
          accepted.data.file_types ?? {},
        );
        await withStoredFiles(
          begin,
          services.storage,
          stored,
          async (tx) => await addFiles(tx, actor, params.id, files, now),
        );
        return undefined;
      } finally {
        await accepted.discard();
      }
    },
  });
}

function changes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/version/{id}',
    summary: 'Edit a version',
    tag,
    needs: ['VERSION_WRITE'],
    params,
    body: editShape,
    handle: async ({ sql, services, params, body, request, actor, begin }) => {
      const { changelog: source } = body;
      const renderer = rendererOf(services, actor, request);
      if (source != null) await mayEdit(sql, params.id, actor); // only permitted callers make us render
      const changelog = source == null ? null : await revised(sql, () => renderer.render(source));
      await begin(async (tx) => await editVersion(tx, actor, params.id, body, changelog));
      return undefined;
    },
  });
  authenticatedRoute(api, {
    method: 'delete',
    path: '/version/{id}',
    summary: 'Delete a version with its files',
    tag,
    needs: ['VERSION_DELETE'],
    params,
    handle: async ({ services, params, actor, begin }) => {
      const locations = await begin(async (tx) => await removeVersion(tx, actor, params.id));
      await removeOrphans(begin, services.storage, locations).catch((error: unknown) => {
        services.log.warn(
          { err: error, version_id: params.id },
          'The stored files of a deleted version could not be removed; the next garbage collection removes them',
        );
      });
      return undefined;
    },
  });
}

const rendererOf = ({ renderer }: AppServices, actor: Actor, { signal }: Request): RequestRenderer =>
  rendererFor(renderer, { account: actor.user_id, signal });

/**
 * Receives a form whose part `data` has the schema `shape`: parses it and checks the permission before any file is
 * read.
 */
async function receiveWith<S extends z.ZodType>(
  request: Request,
  services: AppServices,
  shape: S,
  {
    quota,
    check,
    parts,
  }: {
    quota: UploadQuota;
    check(data: z.output<S>): Promise<void>;
    parts?: (data: z.output<S>) => readonly string[];
  },
): Promise<Received & { data: z.output<S> }> {
  let data: z.output<S> | undefined;
  const received = await receive(request, services, {
    quota,
    onData: async (given) => {
      data = parse(shape, given) as z.output<S>;
      await check(data);
    },
    kind: (part) => (parts && !parts(data as z.output<S>).includes(part) ? null : 'file'),
  });
  return { ...received, data: data as z.output<S> };
}

const orNotFound = <T>(item: T | null): T => {
  if (item === null) throw new Refused('not_found');
  return item;
};

/** The response of a create has no file ids. Source: api-v2 §2.2. */
const withoutFileIds = (version: Version): Version => ({
  ...version,
  files: version.files.map(({ id: _, ...file }) => file),
});
