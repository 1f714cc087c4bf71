import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { listRows } from '#db/catalogue/projects/pages.ts';
import * as projects from '#db/catalogue/projects/read.ts';
import { projectOf } from '#db/catalogue/projects/row.ts';
import { editShape, projectShape } from '#db/catalogue/projects/shape.ts';
import { createShape } from '#db/catalogue/publishing/shape.ts';
import { environmentOf } from '#db/catalogue/tags/rules.ts';
import { dependenciesOf } from '#db/catalogue/versions/project-dependencies.ts';
import { versionShape } from '#db/catalogue/versions/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { newId } from '#db/platform/id.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { deleteProject } from '../../catalogue/project-settings/project-delete.server.ts';
import {
  checkRoute,
  etagOf,
  patchProject,
  projectParams,
} from '../../catalogue/project-settings/project-edit.server.ts';
import { projectsByName } from '../../platform/ready-answers/record-kinds.ts';
import type { Records } from '../../platform/ready-answers/records.ts';
import { authenticatedRoute, parse, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { followRoutes } from '../follow.ts';
import { type ParsedProject, postProject } from '../project-create.ts';
import { iconRoutes } from '../project-icon.ts';
import { streamedArray, streamedFields } from '../streamed.ts';

const params = projectParams;
const tag = 'projects';

/** Projects. Source: api-v2 §4. */
export function projectRoutes(api: Api, records: Records | null): void {
  reads(api, records);
  writes(api);
  iconRoutes(api);
  followRoutes(api, z.array(projectShape), projectOf);
}

function reads(api: Api, records: Records | null): void {
  const byName = projectsByName('v2', projectOf);
  records?.offer('GET /v2/projects', byName);
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}',
    summary: 'A project by id or slug',
    tag,
    reads: ['PROJECT_READ'],
    params,
    answer: projectShape,
    handle: async ({ sql, services, params, actor, header }) => {
      const row = await projects.findProjectRow(sql, params.id, actor);
      if (!row) throw await projects.notFoundReason(sql, params.id);
      header('etag', etagOf(row.revision));
      return projectOf(services.settings, row);
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/projects',
    summary: 'Projects by ids or slugs; unknown and hidden ones are left out',
    tag,
    reads: ['PROJECT_READ'],
    query: byName.shape,
    answer: z.array(projectShape),
    handle: async ({ sql, services: { settings }, query, actor }) => {
      const ready = actor ? null : await records?.answer(byName.ask(query));
      if (ready) return ready;
      return await streamedArray(
        projectShape,
        mapped(await listRows(sql, query.ids, actor), (row) => projectOf(settings, row)),
      );
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/projects_random',
    summary: 'Random public projects',
    tag,
    query: z.object({ count: z.coerce.number().int().min(1).max(limits.random) }),
    answer: z.array(projectShape),
    handle: async ({ sql, services, query: { count } }) =>
      (await projects.randomRows(sql, { count, from: newId() })).map((row) =>
        projectOf(services.settings, row),
      ),
  });

  checkRoute(api);

  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/dependencies',
    summary: 'The projects and versions that a project depends on',
    tag,
    reads: ['PROJECT_READ'],
    params,
    answer: z.object({ projects: z.array(projectShape), versions: z.array(versionShape) }),
    handle: async ({ sql, services, params, actor }) => {
      const project = await projects.findProjectRow(sql, params.id, actor);
      if (!project) throw new Refused('not_found');
      const { projects: others, versions } = await dependenciesOf(services, project.id, actor);
      return await streamedFields({
        projects: { shape: projectShape, items: others },
        versions: { shape: versionShape, items: versions },
      });
    },
  });
}

function writes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/project',
    summary: 'Create a project, with its first versions and images',
    tag,
    create_errors: true,
    needs: ['PROJECT_CREATE'],
    multipart: createShape,
    answer: projectShape,
    handle: async (call) => {
      const id = await postProject(call, parsedCreate);
      const project = await projects.findProject(call.services, id, call.actor);
      if (!project) throw new Refused('not_found'); // deleted meanwhile
      return project;
    },
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/project/{id}',
    summary: 'Edit a project; absent fields keep their values',
    tag,
    needs: ['PROJECT_WRITE'],
    params,
    body: editShape,
    handle: async (call) => await patchProject(call, call.body, 2),
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/project/{id}',
    summary: 'Delete a project with its versions and files',
    tag,
    needs: ['PROJECT_DELETE'],
    params,
    handle: deleteProject,
  });
}

/** The sides of the project apply to every initial version without an environment. Source: api-v2 §4.1. */
function parsedCreate(sent: unknown): ParsedProject {
  const { client_side, server_side, project_type, ...data } = parse(createShape, sent)!;
  const environment = environmentOf(client_side, server_side);
  const initial_versions = data.initial_versions.map((version) => ({
    ...version,
    environment: version.environment ?? environment,
  }));
  return { data: { ...data, initial_versions }, modpack: project_type === 'modpack' };
}
