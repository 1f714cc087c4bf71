import type { Project } from '#db/projects/shape.ts';
import { changesSinceApproval } from '#db/review/changes.ts';
import { reviewOf } from '#db/review/progress.ts';
import { leftInSession } from '#db/review/session.ts';
import { lockOf } from '#db/review-locks/read.ts';
import { isLive, whyNotReview } from '#db/review-locks/rules.ts';
import { compose } from './compose-message.ts';
import { factsOf, stagesOf } from './project-facts.ts';

/**
 * The review of a project by the current user, for the panel beside its pages; null for everybody else. Pages of public
 * projects are the same for everybody and look nobody up, unless `?review` asks for it.
 */
export async function loadReview({ locals, url }: { locals: App.Locals; url: URL }, project: Project) {
  if (!locals.isPrivate && !url.searchParams.has('review')) return null;
  const actor = await locals.currentActor();
  if (!actor || whyNotReview(actor) !== null) return null;
  const { services, now } = locals;
  const progress = await reviewOf(services.sql, actor, project.id);
  if (!progress) return null;
  const [lock, changes, left] = await Promise.all([
    lockOf(services, project.id),
    changesSinceApproval(services.sql, project.id),
    leftInSession(services.sql, actor, now),
  ]);
  const stages = stagesOf(project);
  const blocked = lock !== null && isLive(lock, now) && lock.moderator_id !== actor.user_id;
  return {
    progress,
    stages,
    composed: compose(stages, progress.choices, factsOf(project)),
    changes,
    left,
    /** Who holds the lock instead; null when nobody does. */
    blocked_by: blocked ? lock.username : null,
  };
}
export type LoadedReview = NonNullable<Awaited<ReturnType<typeof loadReview>>>;
