import { type Locker, Server } from '@tus/server';
import { z } from 'zod';
import { projectLabels } from '#db/catalogue/projects/labels.ts';
import { UploadLocks } from '#db/catalogue/uploads/locks.ts';
import { finishedUploads } from '#db/catalogue/uploads/read.ts';
import { RunningHashes } from '#db/catalogue/uploads/running-hashes.ts';
import { consumeUploads, discardPartials } from '#db/catalogue/uploads/write.ts';
import { addFiles, assertMayAddFiles, prepareFiles } from '#db/catalogue/versions/add-file.ts';
import { usualName } from '#db/catalogue/versions/rules.ts';
import { addUploadsShape } from '#db/catalogue/versions/shape.ts';
import { assertMayPublish } from '#db/catalogue/versions/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { withStoredFiles } from '#db/platform/files/stored-files.ts';
import { newId } from '#db/platform/id.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import { publishReceived } from '../../catalogue/version/publish-received.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { TusStore } from '../../platform/upload/tus-store.ts';
import { type Body, openLargeBody } from '../../platform/upload/upload-body.ts';
import { createUnnamedShape } from '../v3/version-fields.ts';
import { versionV3, versionV3Shape } from '../v3/version-shape.ts';

const path = '/_internal/uploads';
const params = z.object({ id: z.string().max(64) });
const tag = 'internal';

/**
 * Files of versions in pieces, by the protocol tus 1.0.0 with creation and termination, for those who may publish in the
 * project: a client continues where a lost connection or a restarted server ended. Then a version names the uploads.
 * Source: tus (creation, core, termination).
 */
export function uploadRoutes(api: Api): void {
  const hashes = new RunningHashes();
  let locks: UploadLocks | undefined;
  const tusFor = (services: AppServices, actor: Actor, body: Body) => {
    locks ??= new UploadLocks(services.sql);
    return { datastore: new TusStore(services, hashes, { actor, body }), locker: lockerOf(locks, body) };
  };
  const methods = [
    ['post', '/uploads', 'Announce a file that comes in pieces'],
    ['get', '/uploads/{id}', 'How much of a file has arrived, by HEAD'],
    ['patch', '/uploads/{id}', 'Send a piece of a file'],
    ['delete', '/uploads/{id}', 'Cancel a file that comes in pieces'],
  ] as const;
  for (const [method, at, summary] of methods)
    authenticatedRoute(api, {
      ...{ method, path: at, summary, tag, needs: ['VERSION_CREATE'] },
      ...(at === '/uploads' ? {} : { params }),
      handle: async ({ services, request, incoming, actor }) => {
        const bytes_per_second = services.settings.UPLOAD_MIN_BYTES_PER_SECOND;
        const body = openLargeBody(request, incoming, { bytes_per_second });
        try {
          return await byTus(request, tusFor(services, actor, body));
        } finally {
          body.end();
        }
      },
    });

  authenticatedRoute(api, {
    method: 'post',
    path: '/versions',
    summary: 'Publish a version of finished uploads: their ids are the file_parts',
    tag,
    create_errors: true,
    needs: ['VERSION_CREATE'],
    body: createUnnamedShape,
    answer: versionV3Shape,
    handle: async ({ sql, services, body, request, actor, begin, now }) => {
      const { project_id, file_parts: ids } = body;
      await assertMayPublish(sql, project_id, actor);
      return await withUploads(services, ids, async () => {
        const files = await finishedUploads({ ...services, hashes }, actor, { project_id, ids, now });
        const row = await publishReceived(
          { sql, services, request, actor, begin },
          { data: { ...body, name: body.name || (await nameFor(services, actor, body)) }, files },
          async (tx) => await consumeUploads(tx, actor, ids),
        );
        hashes.forget(ids);
        // what a crash leaves here is swept with other unfinished uploads
        await discardPartials(
          services.storage,
          files.map(({ part }) => part),
        );
        return versionV3(services.settings, row);
      });
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/versions/{id}/files',
    summary: 'Add finished uploads to a version',
    tag,
    create_errors: true,
    needs: ['VERSION_WRITE'],
    params: z.object({ id: idShape }),
    body: addUploadsShape,
    handle: async ({ sql, services, params, body, actor, begin, now }) => {
      const { uploads: ids, file_types } = body;
      const project_id = await assertMayAddFiles(sql, params.id, actor);
      return await withUploads(services, ids, async () => {
        const received = await finishedUploads({ ...services, hashes }, actor, { project_id, ids, now });
        const missing = ids.find((id) => !received.some(({ part }) => part === id));
        if (missing !== undefined) throw new Refused('part_missing', { part: missing });
        const { files, stored } = await prepareFiles(services, params.id, received, file_types ?? {});
        await withStoredFiles(begin, services.storage, stored, async (tx) => {
          await addFiles(tx, actor, params.id, files, now);
          await consumeUploads(tx, actor, ids);
        });
        hashes.forget(ids);
        await discardPartials(services.storage, ids);
        return undefined;
      });
    },
  });
}

/** What a version is called that nobody named. */
async function nameFor(
  services: AppServices,
  actor: Actor,
  { project_id, version_number }: { project_id: string; version_number: string },
): Promise<string> {
  const project = (await projectLabels(services, [project_id], actor)).get(project_id);
  return usualName(project?.title ?? '', version_number);
}

/** Refuses `part_missing` when another request cancelled or published one of the uploads meanwhile. */
async function withUploads<T>(
  { storage }: AppServices,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    for (const part of ids) if (!(await storage.partial(part))) throw new Refused('part_missing', { part });
    throw error;
  }
}

/** One request at a time works on an upload. A newer one ends the older one, whose connection may be dead. */
const lockerOf = (locks: UploadLocks, body: Body): Locker => ({
  newLock: (id) => ({
    async lock(signal) {
      if (!(await locks.acquire(id, () => body.end(), { signal }))) throw new Refused('busy');
    },
    unlock: async () => await locks.release(id),
  }),
});

/** Answers a request of the protocol. A refusal of ours ends it as in every other route. */
async function byTus(
  { method, headers, url }: Request,
  tus: { datastore: TusStore; locker: Locker },
): Promise<Response> {
  let failure: unknown;
  const server = new Server({
    ...{ path, ...tus },
    relativeLocation: true,
    allowedOrigins: () => false,
    namingFunction: () => newId(),
    onResponseError: (_request, error) => {
      if (!('status_code' in error)) failure ??= error;
      return undefined;
    },
  });
  // the store reads the body
  const answer = await server.handleWeb(new Request(url, { method, headers }));
  if (failure) throw failure;
  if (answer.status < 400) return answer;
  const description = (await answer.text()).trim();
  const error = answer.status === 404 ? 'not_found' : answer.status === 409 ? 'conflict' : 'request_error';
  return Response.json({ error, description }, { status: answer.status });
}
