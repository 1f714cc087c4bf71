import type { Project } from '#db/catalogue/projects/shape.ts';
import { lockOf } from '#db/catalogue/review-locks/read.ts';
import { isLive, whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { changesSinceApproval } from '#db/moderation/review/changes.ts';
import { type ReviewProgress, reviewOf } from '#db/moderation/review/progress.ts';
import { leftInSession } from '#db/moderation/review/session.ts';
import { compose } from './compose-message.ts';
import { factsOf, stagesOf } from './project-facts.ts';

/** Why a reviewer who asked for the panel has none. */
export interface NoReview {
  /** Whether the project waits for a decision. */
  waits: boolean;
  /** Who else reviews it now; null when nobody does. */
  blocked_by: string | null;
}

/** A review as its panel shows it. */
export interface LoadedReview {
  progress: ReviewProgress;
  stages: ReturnType<typeof stagesOf>;
  /** The message that follows from what was chosen. */
  composed: ReturnType<typeof compose>;
  changes: Awaited<ReturnType<typeof changesSinceApproval>>;
  /** How many projects are left in the reviewer's session; null when there is none. */
  left: Awaited<ReturnType<typeof leftInSession>>;
  /** Who holds the lock instead; null when nobody does. */
  blocked_by: string | null;
}
/** What a reviewer who asked for a review gets. */
export type AskedReview = LoadedReview | NoReview;

/**
 * The review of a project by the current user, for the panel beside its pages; null for everybody else. Pages of public
 * projects are the same for everybody and look nobody up, unless `?review` asks for it. Reviewers who asked for it and have
 * not begun, or whose review has ended, get why there is none.
 */
export async function loadReview(
  { locals, url }: { locals: App.Locals; url: URL },
  project: Project,
): Promise<AskedReview | null> {
  const isAsked = url.searchParams.has('review');
  if (!locals.isPrivate && !isAsked) return null;
  const actor = await locals.currentActor();
  if (!actor || whyNotReview(actor) !== null) return null;
  const { services, now } = locals;
  const progress = await reviewOf(services.sql, actor, project.id);
  if (!progress && !isAsked) return null;
  const lock = await lockOf(services, project.id);
  const blocked = lock !== null && isLive(lock, now) && lock.moderator_id !== actor.user_id;
  const blocked_by = blocked ? lock.username : null;
  if (!progress) return { waits: project.status === 'processing', blocked_by };
  const [changes, left] = await Promise.all([
    changesSinceApproval(services.sql, project.id),
    leftInSession(services.sql, actor, now),
  ]);
  const stages = stagesOf(project);
  return {
    progress,
    stages,
    composed: compose(stages, progress.choices, factsOf(project)),
    changes,
    left,
    blocked_by,
  };
}
