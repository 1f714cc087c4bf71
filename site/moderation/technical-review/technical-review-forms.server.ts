import { z } from 'zod';
import { permissions } from '#db/catalogue/external-files/rules.ts';
import { sha1Shape } from '#db/catalogue/external-files/shape.ts';
import { judgeFiles } from '#db/catalogue/external-files/write.ts';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { enqueueAgain } from '#db/catalogue/scans/enqueue.ts';
import { lockProject } from '#db/catalogue/versions/write.ts';
import { limits } from '#db/messages/threads/shape.ts';
import { settleProjectsWith } from '#db/moderation/attribution/write.ts';
import { releaseUnread } from '#db/moderation/technical-review/hold-unread.ts';
import { restOfFile } from '#db/moderation/technical-review/read.ts';
import { traceStatuses, verdicts } from '#db/moderation/technical-review/rules.ts';
import { keyShape } from '#db/moderation/technical-review/shape.ts';
import { submitReview } from '#db/moderation/technical-review/submit.ts';
import { setTrust } from '#db/moderation/technical-review/trusted.ts';
import { decideEverywhere, decideTraces } from '#db/moderation/technical-review/verdicts.ts';
import { Refused } from '#db/platform/errors.ts';
import { boundedText, idShape, oneLineText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { bytesOfText, formRoute, withQuery } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { announcingOf } from './announcing.ts';
import { editWork } from './edit-work.server.ts';
import { judgedCodePath, projectReviewPath, reviewsPath, worksPath } from './paths.ts';

const action = '/_internal/technical-review';
const general = { fields: [], errors: {} };

/** A field that may be left empty. */
const blankable = <S extends z.ZodType>(shape: S) =>
  z.preprocess(
    (text) => (typeof text === 'string' && text.trim() === '' ? undefined : text),
    shape.optional(),
  );

/** One trace, or the same code everywhere: `here` or `everywhere`, and the verdict. */
export const decideTraceForm = defineForm({
  ...general,
  action: `${action}/decide`,
  shape: z.object({
    project: idShape,
    trace: idShape,
    key: keyShape,
    decision: z.templateLiteral([z.enum(['here', 'everywhere']), ':', z.enum(traceStatuses)]),
  }),
});
export const decideRestForm = defineForm({
  ...general,
  action: `${action}/rest`,
  shape: z.object({
    project: idShape,
    report: idShape,
    verdict: z.enum(verdicts),
    /** An archive in the file; without it, the whole file. */
    jar: blankable(boundedText(1, 1024)),
  }),
});
/** Takes back what was decided about the same code everywhere. */
export const takeBackForm = defineForm({
  ...general,
  action: `${action}/code`,
  shape: z.object({ key: keyShape }),
});
export const submitReviewForm = defineForm({
  action: `${action}/submit`,
  shape: z.object({
    project: idShape,
    verdict: z.enum(verdicts),
    message: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trim())
      .pipe(boundedText(0, limits.message_bytes))
      .default(''),
  }),
  fields: ['message'],
  errors: { body_too_complex: 'message' },
});
export const scanAgainForm = defineForm({
  ...general,
  action: `${action}/scan`,
  shape: z.object({ file: idShape }),
});
/** Makes a version public again whose files no scan could read whole. */
export const releaseUnreadForm = defineForm({
  ...general,
  action: `${action}/release`,
  shape: z.object({ project: idShape, version: idShape }),
});
export const trustForm = defineForm({
  ...general,
  action: `${action}/trust`,
  shape: z.object({ user: idShape, allow: z.enum(['yes', 'no']) }),
});

/** Whether modpacks may contain a file. */
export const judgeFileForm = defineForm({
  ...general,
  action: `${action}/file`,
  shape: z.object({
    project: idShape,
    sha1: sha1Shape,
    status: z.enum(permissions),
    title: blankable(oneLineText(1, 200)),
    link: blankable(z.url({ protocol: /^https?$/ }).max(2048)),
    proof: blankable(boundedText(1, 4096)),
  }),
});

/** What is known of a work from elsewhere; empty fields clear what they say. */
export const editWorkForm = defineForm({
  action: `${action}/work`,
  shape: z.object({
    work: idShape,
    /** What was searched for on the page. */
    q: z.string().max(200).optional(),
    status: z.enum(permissions),
    title: oneLineText(1, 200),
    link: blankable(z.url({ protocol: /^https?$/ }).max(2048)),
    exceptions: blankable(boundedText(1, 4096)),
    proof: blankable(boundedText(1, 4096)),
  }),
  fields: ['work', 'status', 'title', 'link', 'exceptions', 'proof'],
  errors: {},
});

const worksPage = ({ q }: { q?: unknown }): string =>
  typeof q === 'string' && q !== '' ? withQuery(worksPath, { q }) : worksPath;
const pageOf = ({ project }: { project?: unknown }): string =>
  idShape.safeParse(project).success ? projectReviewPath(project as string) : reviewsPath;

/** What moderators decide on the screens of technical review. */
export function technicalReviewFormRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  const announcing = announcingOf(services);

  formRoute(api, decideTraceForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project, trace, key, decision }, now }) {
      const [scope, verdict] = decision.split(':') as ['here' | 'everywhere', (typeof traceStatuses)[number]];
      await sql.begin((tx) =>
        scope === 'here'
          ? decideTraces(tx, actor, [{ detail_id: trace, verdict }], { announcing, now })
          : decideEverywhere(tx, actor, [{ detail_key: key, verdict }], { announcing, now }),
      );
      return { to: `${projectReviewPath(project)}?done=decided#trace-${trace}` };
    },
  });

  formRoute(api, decideRestForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project, report, verdict, jar }, now }) {
      await sql.begin(async (tx) => {
        const rest = await restOfFile(tx, report, jar ?? null);
        const decisions = rest.map((detail_id) => ({ detail_id, verdict }));
        await decideTraces(tx, actor, decisions, { announcing, now });
      });
      return { to: `${projectReviewPath(project)}?done=decided#file-${report}` };
    },
  });

  formRoute(api, takeBackForm, {
    needs: ['PROJECT_WRITE'],
    page: judgedCodePath,
    async run({ actor, fields: { key }, now }) {
      const decisions = [{ detail_key: key, verdict: 'pending' as const }];
      await sql.begin((tx) => decideEverywhere(tx, actor, decisions, { announcing, now }));
      return { to: `${judgedCodePath}?done=decided` };
    },
  });

  formRoute(api, submitReviewForm, {
    needs: ['PROJECT_WRITE'],
    limit_bytes: bytesOfText(limits.message_bytes),
    page: pageOf,
    async run({ actor, fields: { project, ...submission }, now }) {
      await sql.begin((tx) => submitReview(tx, actor, project, { ...submission, announcing, now }));
      return { to: `${reviewsPath}?done=${submission.verdict}` };
    },
  });

  formRoute(api, judgeFileForm, {
    needs: ['PROJECT_WRITE'],
    page: pageOf,
    async run({ actor, fields: { project, sha1, ...given }, now }) {
      const judgements = new Map([[sha1, { type: 'unknown' as const, ...given }]]);
      await sql.begin(async (tx) => {
        await judgeFiles(tx, actor, judgements, now);
        await settleProjectsWith(tx, actor, [sha1], { now, words: announcing.words.attribution });
      });
      return { to: `${projectReviewPath(project)}?done=decided#pack-${sha1}` };
    },
  });

  formRoute(api, editWorkForm, {
    needs: ['PROJECT_WRITE'],
    page: worksPage,
    async run({ actor, fields: { work, q, link, exceptions, proof, ...given }, now }) {
      const cleared = { link: link ?? null, exceptions: exceptions ?? null, proof: proof ?? null };
      await sql.begin((tx) => editWork(tx, actor, work, { edit: { ...given, ...cleared }, now }));
      return { to: `${withQuery(worksPage({ q }), { done: work })}#work-${work}` };
    },
  });

  formRoute(api, scanAgainForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotReview },
    page: reviewsPath,
    async run({ fields: { file }, now }) {
      if (!(await sql.begin((tx) => enqueueAgain(tx, file, now)))) throw new Refused('not_found');
      return { to: `${reviewsPath}?done=rescan` };
    },
  });

  formRoute(api, releaseUnreadForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotReview },
    page: reviewsPath,
    async run({ actor, fields: { project: project_id, version: version_id }, now }) {
      const is_released = await sql.begin(async (tx) => {
        await lockProject(tx, project_id);
        return await releaseUnread(tx, actor.user_id, { version_id, project_id }, now);
      });
      if (!is_released) throw new Refused('not_found');
      return { to: `${reviewsPath}?done=released` };
    },
  });

  formRoute(api, trustForm, {
    needs: ['SESSION_ACCESS'],
    page: ({ user }) =>
      idShape.safeParse(user).success ? `/admin/user/${user as string}` : '/admin/user_email',
    async run({ actor, fields: { user, allow }, now }) {
      await sql.begin((tx) => setTrust(tx, actor, user, { is_allowed: allow === 'yes', now }));
      return { to: `/admin/user/${user}?done=trust` };
    },
  });
}
