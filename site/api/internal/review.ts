import { z } from 'zod';
import { projectRef } from '#db/catalogue/projects/read.ts';
import { lockOf } from '#db/catalogue/review-locks/read.ts';
import { isLive, whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { acquireLock, clearLocks, releaseLock } from '#db/catalogue/review-locks/write.ts';
import { queueIds, queuePage } from '#db/moderation/review/queue.ts';
import { queueFilterShape, queueQueryShape, waitingProjectShape } from '#db/moderation/review/shape.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { actorOf } from '#db/platform/people/read.ts';
import { type Actor, hasScope } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import { bodyText } from '../../platform/route/json-body.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'moderation';
const params = z.object({ project: z.string() });

const lockFields = {
  is_own_lock: z.boolean(),
  locked_by: z.object({ id: z.string(), username: z.string(), avatar_url: z.string().nullable() }).optional(),
  locked_at: z.string().optional(),
  expires_at: z.string().optional(),
  expired: z.boolean().optional(),
};
const acquiredShape = z.object({ success: z.boolean(), ...lockFields });
const stateShape = z.object({ locked: z.boolean(), ...lockFields });

/** The review queue and its locks, for moderators. Source: api-v3 §5. */
export function reviewRoutes(api: Api): void {
  queueRoutes(api);
  acquireRoutes(api);
  releaseRoutes(api);
}

function queueRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/moderation/projects',
    summary: 'Projects that wait for review',
    tag,
    needs: ['PROJECT_READ'],
    query: queueQueryShape,
    answer: z.object({ total: z.int(), projects: z.array(waitingProjectShape) }),
    handle: async ({ services, query: { count, offset, ...filter }, actor, now }) => {
      assertAllowed(whyNotReview(actor));
      const { total, projects } = await queuePage(services, filter, { count, offset, now });
      return { total, projects: projects.map(({ is_again: _, lock: __, ...project }) => project) };
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/moderation/projects/ids',
    summary: 'The IDs of the projects that wait for review, in order',
    tag,
    needs: ['PROJECT_READ'],
    query: queueFilterShape,
    answer: z.object({ ids: z.array(z.string()) }),
    handle: async ({ sql, query, actor }) => {
      assertAllowed(whyNotReview(actor));
      return { ids: await queueIds(sql, query) };
    },
  });
}

function acquireRoutes(api: Api): void {
  for (const [rest, summary, override] of [
    [
      '',
      'Lock a project for review, for 15 minutes; a project that another moderator holds stays theirs',
      false,
    ],
    ['/override', 'Take over the lock of a project', true],
  ] as const)
    authenticatedRoute(api, {
      method: 'post',
      path: `/moderation/lock/{project}${rest}`,
      summary,
      tag,
      needs: ['PROJECT_WRITE'],
      params,
      answer: acquiredShape,
      handle: async ({ sql, services, params: { project }, actor, begin, now }) => {
        const id = await projectId(sql, project, actor);
        const success = await begin((tx) => acquireLock(tx, actor, id, { override, now }));
        return { success, ...(await stateOf(services, id, { actor, now })) };
      },
    });

  authenticatedRoute(api, {
    method: 'get',
    path: '/moderation/lock/{project}',
    summary: 'Who reviews a project',
    tag,
    needs: ['PROJECT_READ'],
    params,
    answer: stateShape,
    handle: async ({ sql, services, params: { project }, actor, now }) => {
      const state = await stateOf(services, await projectId(sql, project, actor), { actor, now });
      return { locked: state.expired === false, ...state };
    },
  });
}

function releaseRoutes(api: Api): void {
  const answer = z.object({ success: z.boolean() });
  authenticatedRoute(api, {
    method: 'delete',
    path: '/moderation/lock/{project}',
    summary: 'Release the own lock of a project',
    tag,
    needs: ['PROJECT_WRITE'],
    params,
    answer,
    handle: async ({ sql, params: { project }, actor, begin }) => {
      const id = await projectId(sql, project, actor);
      return { success: await begin((tx) => releaseLock(tx, actor, id)) };
    },
  });

  // a page that is being closed can send no headers of its own (sendBeacon)
  publicRoute(api, {
    method: 'post',
    path: '/moderation/lock/{project}/release',
    summary: 'Release the own lock of a project; the token may be the body, as text',
    tag,
    reads: ['PROJECT_WRITE'],
    params,
    raw: ['text/plain'],
    answer,
    handle: async ({ sql, services, params: { project }, actor: given, request, begin, now }) => {
      const text = (await bodyText(request, 1024, services.settings)).trim();
      const actor = text === '' ? given : await actorOf(services, text, now);
      if (!actor) throw new Refused('authentication_required');
      if (!hasScope(actor, 'PROJECT_WRITE')) throw new Refused('scope_missing', { scope: 'PROJECT_WRITE' });
      const id = await projectId(sql, project, actor);
      return { success: await begin((tx) => releaseLock(tx, actor, id)) };
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/moderation/locks',
    summary: 'End all locks, for administrators',
    tag,
    needs: ['PROJECT_WRITE'],
    answer: z.object({ deleted_count: z.int() }),
    handle: async ({ actor, begin }) => ({ deleted_count: await begin((tx) => clearLocks(tx, actor)) }),
  });
}

/** The id of the project with this id or slug. Refuses `moderators_only` before it says whether there is one. */
async function projectId(sql: Db, project: string, actor: Actor): Promise<string> {
  assertAllowed(whyNotReview(actor));
  const found = await projectRef(sql, project);
  if (!found) throw new Refused('not_found');
  return found.id;
}

async function stateOf(
  services: AppServices,
  project_id: string,
  { actor, now }: { actor: Actor; now: Date },
) {
  const lock = await lockOf(services, project_id);
  if (!lock) return { is_own_lock: false };
  const expired = !isLive(lock, now);
  return {
    is_own_lock: !expired && lock.moderator_id === actor.user_id,
    locked_by: { id: lock.moderator_id, username: lock.username, avatar_url: lock.avatar_url },
    locked_at: lock.locked_at.toISOString(),
    expires_at: lock.expires_at.toISOString(),
    expired,
  };
}
