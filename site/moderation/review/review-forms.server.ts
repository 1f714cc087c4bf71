import { z } from 'zod';
import { findProject } from '#db/catalogue/projects/read.ts';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { acquireLock } from '#db/catalogue/review-locks/write.ts';
import { limits } from '#db/messages/threads/shape.ts';
import { decide, undoDecision } from '#db/moderation/review/decide.ts';
import {
  type Choices,
  closeReview,
  openReview,
  reviewOf,
  saveReview,
} from '#db/moderation/review/progress.ts';
import { endSession, nextInSession, skipProject, startSession } from '#db/moderation/review/session.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { boundedText, idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { bytesOfText, formRoute } from '../../platform/route/form.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';
import { type Composed, compose } from './compose-message.ts';
import { factsOf, stagesOf } from './project-facts.ts';
import { filterOf, parseQueue } from './queue-query.ts';
import { suggestions } from './review-checklist.ts';
import {
  decideForm,
  leaveReviewForm,
  startReviewForm,
  takeOverForm,
  undoDecisionForm,
} from './review-forms.ts';

const text = boundedText(0, limits.message_bytes);
const choicesShape = z
  .record(z.string().regex(/^[a-z_]{1,64}([/:][a-z_]{1,64})?$/), boundedText(0, 8192))
  .refine((choices) => Object.keys(choices).length <= 200, 'has too many choices');
/** What is saved of a review, as its message says it. */
export const savedReviewShape = z.object({
  message: z.string(),
  points: z.int(),
  suggests: z.enum(suggestions),
  missing: z.array(z.string()),
  /** Whether the caller holds the lock now. */
  is_locked: z.boolean(),
});

const reviewPage = (id: string): string => `/project/${id}?review=1`;
const pageOf = ({ project: id }: { project?: unknown }): string =>
  idShape.safeParse(id).success ? reviewPage(id as string) : '/moderation';

/** Where a reviewer goes on: to the next project of their session, or to the queue. */
async function nextPage(tx: Db, actor: Actor, now: Date, done: string, decided = ''): Promise<string> {
  const next = await nextInSession(tx, actor, now);
  const about = decided && `&project=${decided}`;
  return next === null ? `/moderation?done=${done}${about}` : reviewPage(next);
}

/** The forms of the review panel and the queue, for moderators. */
export function reviewFormRoutes(api: Api, { sql, settings }: AppServices): void {
  formRoute(api, startReviewForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project: id, type, sort, q }, now }) {
      const to = await sql.begin(async (tx) => {
        if (id !== undefined) {
          await endSession(tx, actor);
          await openReview(tx, actor, id, now);
          return reviewPage(id);
        }
        await startSession(tx, actor, filterOf(parseQueue(new URLSearchParams({ type, sort, q }))), now);
        return await nextPage(tx, actor, now, 'none');
      });
      return { to };
    },
  });

  formRoute(api, leaveReviewForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project: id, skip }, now }) {
      const to = await sql.begin(async (tx) => {
        await closeReview(tx, actor, id);
        if (skip) await skipProject(tx, actor, id);
        else await endSession(tx, actor);
        return await nextPage(tx, actor, now, skip ? 'all' : 'left');
      });
      return { to };
    },
  });

  formRoute(api, takeOverForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project: id }, now }) {
      await sql.begin((tx) => acquireLock(tx, actor, id, { override: true, now }));
      return { to: reviewPage(id) };
    },
  });

  formRoute(api, decideForm, {
    needs: ['PROJECT_WRITE'],
    limit_bytes: bytesOfText(limits.message_bytes),
    page: pageOf,
    async run({ actor, fields: { project: id, status, verdict, message }, now }) {
      const to = await sql.begin(async (tx) => {
        const progress = await reviewOf(tx, actor, id);
        // a message that still is as the checklist composed it has no gaps; one of their own may not be saved yet
        if (progress?.message === null) {
          const composed = await composedFor({ sql: tx, settings }, actor, id, progress.choices);
          const isComposed = message.trim() === composed.message.trim();
          if (isComposed && composed.missing.length > 0) throw new Refused('review_input_missing');
        }
        await decide(tx, actor, id, { verdict, seen: status, message, now });
        return await nextPage(tx, actor, now, verdict, id);
      });
      return { to };
    },
  });

  formRoute(api, undoDecisionForm, {
    needs: ['PROJECT_WRITE'],
    page: '/moderation',
    async run({ actor, fields: { project: id, status: seen }, now }) {
      await sql.begin((tx) => undoDecision(tx, actor, id, { seen, now }));
      return { to: `/moderation?done=undone&project=${id}` };
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/moderation/review/save',
    summary: 'Save how far a review is, and compose its message',
    tag: 'moderation',
    needs: ['PROJECT_WRITE'],
    body: z.object({
      project: idShape,
      stage: boundedText(0, 64),
      choices: choicesShape,
      message: text.nullable(),
    }),
    answer: savedReviewShape,
    handle: async ({ services, body: { project: id, ...progress }, actor, begin, now }) => {
      assertAllowed(whyNotReview(actor));
      const composed = await composedFor(services, actor, id, progress.choices);
      const is_locked = await begin((tx) => saveReview(tx, actor, id, { ...progress, now }));
      return privateJson({ ...composed, is_locked });
    },
  });
}

/** What the choices come to. Refuses `not_found`. */
async function composedFor(
  context: ReadContext,
  actor: Actor,
  id: string,
  choices: Choices,
): Promise<Composed> {
  const found = await findProject(context, id, actor);
  if (!found) throw new Refused('not_found');
  return compose(stagesOf(found), choices, factsOf(found));
}
