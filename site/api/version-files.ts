import { z } from 'zod';
import { projectsByKeys } from '#db/catalogue/projects/pages.ts';
import type { ProjectRow } from '#db/catalogue/projects/row.ts';
import {
  byHash,
  byHashes,
  existingFile,
  fileByHash,
  type HashOptions,
  type Match,
  projectIdsByHashes,
  versionsByHash as rowsByHash,
  type UpdateQuery,
  updates,
} from '#db/catalogue/versions/hashes.ts';
import { rowsByIds } from '#db/catalogue/versions/pages.ts';
import { removeFile } from '#db/catalogue/versions/remove.ts';
import { fileUrl, type VersionRow } from '#db/catalogue/versions/row.ts';
import {
  hashesShape,
  hashParams,
  hashQuery,
  type UpdateFilters,
  updatesShape,
} from '#db/catalogue/versions/shape.ts';
import { removeOrphans } from '#db/platform/files/stored-files.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { updatesByHash, versionsByHash } from '../platform/ready-answers/record-kinds.ts';
import type { Records } from '../platform/ready-answers/records.ts';
import { authenticatedRoute, publicRoute } from '../platform/route/endpoint.ts';
import { orNotFound } from '../platform/route/or-not-found.ts';
import type { Api } from '../platform/route/types.ts';
import { streamedLists, streamedRecord } from './streamed.ts';
import type { VersionAnswer } from './version-reads.ts';

const tag = 'version files';

/** How one API version shows versions and projects, and what it filters updates by. */
interface FileAnswers<V extends z.ZodType, P extends z.ZodType> {
  api: 'v2' | 'v3';
  /** Answers from memory to those who are not signed in. */
  records: Records | null;
  version: VersionAnswer<V>;
  project: { shape: P; of(settings: MediaSettings, row: ProjectRow): z.input<P> };
  /** The body of an update of one hash. */
  update: z.ZodType<UpdateFilters>;
  /** The body of `update_individual`. */
  individual: z.ZodType<{ hashes: Array<UpdateFilters & { hash: string }> } & Pick<HashOptions, 'algorithm'>>;
}

/** Versions by the hashes of their files, the same in v2 and v3 but for shapes. Source: api-v2 §6; api-v3 §3.4. */
export function versionFiles<V extends z.ZodType, P extends z.ZodType>(
  api: Api,
  answers: FileAnswers<V, P>,
): void {
  oneHash(api, answers);
  manyHashes(api, answers);
  manyUpdates(api, answers);
}

type Answers = FileAnswers<z.ZodType, z.ZodType>;
type RowToJson = (settings: MediaSettings, row: VersionRow) => object;

function oneHash(api: Api, { version, update }: Answers): void {
  const path = '/version_file/{hash}';
  const one = { tag, params: hashParams, query: hashQuery };
  publicRoute(api, {
    ...one,
    method: 'get',
    path,
    summary: 'Get the version that contains a file',
    reads: ['VERSION_READ'],
    answer: version.shape,
    handle: async ({ sql, services: { settings }, params, query, actor }) =>
      version.of(settings, orNotFound(await byHash(sql, params.hash, query, actor))),
  });
  publicRoute(api, {
    ...one,
    method: 'get',
    path: `${path}/download`,
    summary: 'Redirect to the download address of a file',
    reads: ['VERSION_READ'],
    redirects: true,
    answer: z.object({ url: z.url() }),
    handle: async ({ sql, services: { settings }, params, query, actor }) => {
      const found = orNotFound(await fileByHash(sql, params.hash, query, actor));
      const url = fileUrl(settings, found.version, found.file);
      return Response.json({ url }, { status: 307, headers: { location: url } });
    },
  });
  publicRoute(api, {
    ...one,
    method: 'post',
    path: `${path}/update`,
    summary: 'Get the newest matching version of the project that contains a file',
    reads: ['VERSION_READ'],
    body: update,
    answer: version.shape,
    handle: async ({ sql, services: { settings }, params, query, body, actor }) => {
      const request = { hashes: [params.hash], filters: body };
      const [best] = await updates(sql, [request], { ...query, order: 'ordering' }, actor);
      const row = best && (await rowsByIds(sql, [best])).get(best.id);
      return version.of(settings, orNotFound(row));
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

function manyHashes(api: Api, { api: prefix, records, version, project }: Answers): void {
  const byHashShape = z.record(z.string(), version.shape);
  const question = versionsByHash(prefix, version.of as RowToJson);
  records?.offer(`POST /${prefix}/version_files`, question);
  publicRoute(api, {
    method: 'post',
    path: '/version_files',
    summary: 'Get the versions that contain these files, by hash',
    tag,
    reads: ['VERSION_READ'],
    body: hashesShape,
    answer: byHashShape,
    handle: async ({ sql, services: { settings }, body, actor }) => {
      const ready = actor ? null : await records?.answer(question.ask(body));
      if (ready) return ready;
      const found = await byHashes(sql, body.hashes, body, actor);
      return await streamedRecord(version.shape, converted(version, settings, found));
    },
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_file/project',
    summary: 'Get the projects whose versions contain these files, by hash',
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    body: hashesShape,
    answer: z.record(z.string(), project.shape),
    handle: async ({ sql, services: { settings }, body, actor }) => {
      const found = await projectIdsByHashes(sql, body.hashes, body, actor);
      return await streamedRecord(
        project.shape,
        converted(project, settings, projectsByKeys(sql, found, actor)),
      );
    },
  });
}

function manyUpdates(api: Api, { api: prefix, records, version, individual }: Answers): void {
  const byHashShape = z.record(z.string(), version.shape);
  const question = updatesByHash(prefix, version.of as RowToJson);
  records?.offer(`POST /${prefix}/version_files/update`, question);
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update',
    summary: 'Get the newest version that matches the filters, by hash',
    tag,
    body: updatesShape,
    answer: byHashShape,
    handle: async ({ sql, services: { settings }, body }) => {
      const ready = await records?.answer(question.ask(body));
      if (ready) return ready;
      const best = await updates(sql, [queryOf(body)], { ...body, order: 'date' }, null);
      return await streamedRecord(version.shape, converted(version, settings, rowsByHash(sql, first(best))));
    },
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update_many',
    summary: 'As update, one entry for each version that contains the file',
    tag,
    body: updatesShape,
    answer: z.record(z.string(), z.array(version.shape)),
    handle: async ({ sql, services: { settings }, body }) => {
      const best = await updates(sql, [queryOf(body)], { ...body, order: 'date' }, null);
      return await streamedLists(version.shape, converted(version, settings, rowsByHash(sql, best)));
    },
  });
  publicRoute(api, {
    method: 'post',
    path: '/version_files/update_individual',
    summary: 'As update, with separate filters for every hash',
    tag,
    reads: ['VERSION_READ'],
    body: individual,
    answer: byHashShape,
    handle: async ({ sql, services: { settings }, body: { hashes, algorithm }, actor }) => {
      const queries = hashes.map(({ hash, ...filters }) => ({ hashes: [hash], filters }));
      const best = await updates(sql, queries, { algorithm, order: 'date' }, actor);
      return await streamedRecord(version.shape, converted(version, settings, rowsByHash(sql, first(best))));
    },
  });
}

const queryOf = ({ hashes, ...filters }: z.output<typeof updatesShape>): UpdateQuery => ({ hashes, filters });

const first = (matches: readonly Match[]): Match[] => {
  const hashes = new Set<string>();
  return matches.filter(({ hash }) => hashes.size < hashes.add(hash).size);
};

/** The entries with their rows as an API version shows them: a row of several keys becomes one item. */
function converted<R extends object, T>(
  { of }: { of(settings: MediaSettings, row: R): T },
  settings: MediaSettings,
  entries: AsyncIterable<[key: string, row: R]>,
): AsyncGenerator<[key: string, item: T]> {
  const items = new WeakMap<R, T>();
  return mapped(entries, ([key, row]): [string, T] => {
    const item = items.get(row) ?? of(settings, row);
    items.set(row, item);
    return [key, item];
  });
}
