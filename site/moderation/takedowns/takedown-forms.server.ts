import { z } from 'zod';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import { projectRef } from '#db/catalogue/projects/read.ts';
import { takedownKinds, takedownLimits, whyNotTakeDown } from '#db/moderation/takedowns/rules.ts';
import { decideTakedown, sendCounterNotice, takeDown } from '#db/moderation/takedowns/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { boundedText, idShape, nonBlankText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { bytesOfText, formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { takedownPath, takedownsPath } from './paths.ts';

/** Browsers send line ends as CR LF, which would count twice. */
const lines = <S extends z.ZodType<string>>(shape: S) =>
  z.preprocess((text) => (typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : text), shape);

export const takeDownForm = defineForm({
  action: '/_internal/takedowns',
  shape: z.object({
    project: nonBlankText(1, 200),
    kind: z.enum(takedownKinds),
    reference: lines(boundedText(0, takedownLimits.reference)),
    reason: lines(nonBlankText(1, takedownLimits.reason)),
    /** The id of the project that was shown and confirmed. */
    sure: z.string().max(20).optional(),
  }),
  fields: ['project', 'kind', 'reference', 'reason', 'sure'],
  invalid: { project: 'form.required', reason: 'form.required' },
  errors: {
    project_unknown: 'project',
    already_held: 'project',
    move_refused: 'project',
    confirmation_required: { field: 'sure', text: 'takedowns.sure_first' },
  },
});

export const decideTakedownForm = defineForm({
  action: '/_internal/takedowns/decide',
  shape: z.object({
    id: idShape,
    decision: z.enum(['restore', 'refuse']),
    message: lines(boundedText(0, takedownLimits.counter)),
  }),
  fields: ['message'],
  errors: {},
});

export const counterNoticeForm = defineForm({
  action: '/_internal/takedowns/answer',
  shape: z.object({
    project: idShape,
    notice: lines(boundedText(takedownLimits.counter_min, takedownLimits.counter)),
    stated: z.literal('on').optional(),
  }),
  fields: ['notice', 'stated'],
  invalid: { notice: 'takedowns.notice_length' },
  errors: { statement_missing: 'stated' },
});

/** The last part of a link to a project, or what was typed: an id or slug. */
export const nameIn = (typed: string): string => {
  const [before = ''] = typed.trim().split(/[?#]/, 1);
  const path = before.replace(/(?<!\/)\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
};

const moderationPage = ({ project }: { project?: unknown }): string =>
  idShape.safeParse(project).success ? `/project/${project as string}/moderation` : '/dashboard';

/** Taking projects down, the answers of their members, and the decisions about them. */
export function takedownRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, takeDownForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotTakeDown },
    limit_bytes: bytesOfText(takedownLimits.reason),
    page: `${takedownsPath}/new`,
    async run({ actor, fields: { project, sure, ...notice }, now }) {
      const id = await sql.begin(async (tx) => {
        const found = await projectRef(tx, nameIn(project));
        if (!found) throw new Refused('project_unknown');
        // what was typed may name another project than the one meant: it was shown, and confirmed by its id
        if (sure !== found.id) throw new Refused('confirmation_required');
        return await takeDown(tx, actor, await lockProject(tx, found.id, actor), { ...notice, now });
      });
      return { to: `${takedownPath(id)}?done=placed` };
    },
  });

  formRoute(api, decideTakedownForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotTakeDown },
    limit_bytes: bytesOfText(takedownLimits.counter),
    page: ({ id }) => (idShape.safeParse(id).success ? takedownPath(id as string) : takedownsPath),
    async run({ actor, fields: { id, decision, message }, now }) {
      const restores = decision === 'restore';
      await sql.begin((tx) => decideTakedown(tx, actor, id, { restores, message, now }));
      return { to: `${takedownPath(id)}?done=${restores ? 'restored' : 'refused'}` };
    },
  });

  formRoute(api, counterNoticeForm, {
    needs: ['PROJECT_WRITE'],
    limit_bytes: bytesOfText(takedownLimits.counter),
    page: moderationPage,
    async run({ actor, fields: { project, notice, stated }, now }) {
      if (stated !== 'on') throw new Refused('statement_missing');
      await sql.begin(async (tx) =>
        sendCounterNotice(tx, actor, await lockProject(tx, project, actor), { notice, now }),
      );
      return { to: `${moderationPage({ project })}?done=answered` };
    },
  });
}
