import { MemoryLocker, Server } from '@tus/server';
import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { newId } from '#db/id.ts';
import type { Actor } from '#db/people/rules.ts';
import { finishedUploads } from '#db/uploads/read.ts';
import { consumeUploads, discardPartials } from '#db/uploads/write.ts';
import { assertMayPublish } from '#db/versions/write.ts';
import type { AppServices } from '../../context.ts';
import { authenticatedRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';
import { TusStore } from '../upload/tus-store.ts';
import { openBody } from '../upload/upload-body.ts';
import { createV3Shape } from '../v3/version-fields.ts';
import { versionV3, versionV3Shape } from '../v3/version-shape.ts';
import { publishReceived } from '../version-writes.ts';

const path = '/_internal/uploads';
/** One request at a time works on an upload; the site is one process. A newer one ends the older one, whose connection may be dead. */
const locker = new MemoryLocker();
const drain_ms = 50;
const params = z.object({ id: z.string().max(64) });
const tag = 'internal';

/**
 * Files of versions in pieces, by the protocol tus 1.0.0 with creation and termination, for those who may publish in the
 * project: a client continues where a lost connection or a restarted server ended. Then a version names the uploads.
 * Source: tus (creation, core, termination).
 */
export function uploadRoutes(api: Api): void {
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
      handle: async ({ services, request, actor }) => await byTus(request, services, actor),
    });

  authenticatedRoute(api, {
    method: 'post',
    path: '/versions',
    summary: 'Publish a version of finished uploads: their ids are the file_parts',
    tag,
    create_errors: true,
    needs: ['VERSION_CREATE'],
    body: createV3Shape,
    answer: versionV3Shape,
    handle: async ({ sql, services, body, request, actor, begin, now }) => {
      const { project_id, file_parts: ids } = body;
      await assertMayPublish(sql, project_id, actor);
      try {
        const files = await finishedUploads(services, actor, { project_id, ids, now });
        const row = await publishReceived(
          { sql, services, request, actor, begin },
          { data: body, files },
          async (tx) => await consumeUploads(tx, actor, ids),
        );
        // what a crash leaves here is swept with other unfinished uploads
        await discardPartials(
          services.storage,
          files.map(({ part }) => part),
        );
        return versionV3(services.settings, row);
      } catch (error) {
        // another request cancelled or published one of them meanwhile
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Refused('busy') : error;
      }
    },
  });
}

/** Answers a request of the protocol. A refusal of ours ends it as in every other route. */
async function byTus(request: Request, services: AppServices, actor: Actor): Promise<Response> {
  let failure: unknown;
  const server = new Server({
    path,
    locker,
    datastore: new TusStore(services, actor),
    relativeLocation: true,
    lockDrainTimeout: drain_ms,
    allowedOrigins: () => false,
    namingFunction: () => newId(),
    onResponseError: (_request, error) => {
      if (!('status_code' in error)) failure ??= error;
      return undefined;
    },
  });
  const answer = await server.handleWeb(
    paced(request, services, (error) => {
      failure ??= error;
    }),
  );
  if (failure) throw failure;
  if (answer.status < 400) return answer;
  const description = (await answer.text()).trim();
  const error = answer.status === 404 ? 'not_found' : answer.status === 409 ? 'conflict' : 'request_error';
  return Response.json({ error, description }, { status: answer.status });
}

/** The request with a body that must arrive at the same minimum rate as in other uploads. */
function paced(
  request: Request,
  { settings: { UPLOAD_MIN_BYTES_PER_SECOND: bytes_per_second } }: AppServices,
  onFailure: (error: unknown) => void,
): Request {
  if (request.method !== 'POST' && request.method !== 'PATCH') return request;
  const from = openBody(request, { bytes_per_second });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await from.read();
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        } catch (error) {
          onFailure(error);
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  const { method, headers, url } = request;
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit);
}
