import { z } from 'zod';
import { addFiles, assertMayAddFiles, prepareFiles } from '#db/catalogue/versions/add-file.ts';
import { editVersion, mayEdit } from '#db/catalogue/versions/edit.ts';
import { removeVersion } from '#db/catalogue/versions/remove.ts';
import { addFileShape, type CreateData, type EditData } from '#db/catalogue/versions/shape.ts';
import { assertMayPublish } from '#db/catalogue/versions/write.ts';
import { type UploadQuota, uploadQuota } from '#db/platform/files/quota.ts';
import { removeOrphans, withStoredFiles } from '#db/platform/files/stored-files.ts';
import { idShape } from '#db/platform/shape.ts';
import { revised } from '#db/platform/text/revision.ts';
import { publishReceived, rendererOf } from '../catalogue/version/publish-received.server.ts';
import type { AppServices } from '../platform/context.ts';
import { authenticatedRoute, parse } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { countWritten } from '../platform/route/written-bytes.ts';
import { type Received, receive } from '../platform/upload/upload.ts';
import type { VersionAnswer } from './version-reads.ts';

const tag = 'versions';
const params = z.object({ id: idShape });

/** What v2 and v3 send to create and to edit a version, and how they show a version. */
interface VersionWrites<S extends z.ZodType> extends VersionAnswer<S> {
  create: z.ZodType<CreateData>;
  edit: z.ZodType<EditData>;
}

/**
 * The routes that change versions, the same in v2 and v3 except for names and shapes. Source: api-v2 §5; api-v3 §3.4.
 */
export function versionWrites<S extends z.ZodType>(api: Api, writes: VersionWrites<S>): void {
  creates(api, writes);
  changes(api, writes.edit);
}

function creates<S extends z.ZodType>(api: Api, { shape, of, create }: VersionWrites<S>): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/version',
    summary: 'Publish a version: the part data first, then its files',
    tag,
    create_errors: true,
    needs: ['VERSION_CREATE'],
    multipart: create,
    answer: shape as z.ZodType,
    handle: async ({ sql, services, request, actor, begin, now }) => {
      const accepted = await receiveWith(request, services, create, {
        quota: await uploadQuota(sql, actor.user_id, now),
        wrote: (bytes) => countWritten(services, actor, bytes),
        check: async ({ project_id }) => await assertMayPublish(sql, project_id, actor),
        parts: ({ file_parts }) => file_parts,
      });
      try {
        const row = await publishReceived({ sql, services, request, actor, begin }, accepted);
        return of(services.settings, row);
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
        wrote: (bytes) => countWritten(services, actor, bytes),
        check: async () => {
          await assertMayAddFiles(sql, params.id, actor);
        },
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

function changes(api: Api, edit: VersionWrites<z.ZodType>['edit']): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/version/{id}',
    summary: 'Edit a version',
    tag,
    needs: ['VERSION_WRITE'],
    params,
    body: edit,
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
    wrote,
    parts,
  }: {
    quota: UploadQuota;
    /** Counts the bytes of the texts. */
    wrote(bytes: number): Promise<void>;
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
      await wrote(Buffer.byteLength(JSON.stringify(given)));
    },
    kind: (part) => (parts && !parts(data as z.output<S>).includes(part) ? null : 'file'),
  });
  return { ...received, data: data as z.output<S> };
}
