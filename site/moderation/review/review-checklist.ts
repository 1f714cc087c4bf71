import { z } from 'zod';
import { reviewChecklistSource } from '#content/review-checklist.ts';

/**
 * The reviewer's checklist: stages with actions, as `content/review-checklist.json` holds them. What is chosen adds its
 * message, in the order of `weight`, and suggests a status. Labels are in the catalogue of messages, under
 * `review_checklist.`. Source: screens §E.2.
 */
const severities = ['low', 'medium', 'high', 'critical'] as const;
export const suggestions = ['approved', 'flagged', 'rejected'] as const;
export type Suggestion = (typeof suggestions)[number];

const id = z.string().regex(/^[a-z][a-z_]*$/);
const input = z.strictObject({ id, required: z.boolean(), large: z.boolean().default(false) });
const effects = {
  weight: z.int(),
  severity: z.enum(severities).optional(),
  suggests: z.enum(suggestions).optional(),
};
const action = z
  .strictObject({
    id,
    ...effects,
    /** A conditional button has a message for each case; a dropdown and chips one for each option. */
    kind: z.enum(['button', 'conditional-button', 'toggle', 'dropdown', 'multi-select-chips']),
    message: z.string().optional(),
    /** The first case counts whose choice is made; the last has no condition. */
    cases: z.array(z.strictObject({ when: z.string().optional(), message: z.string() })).default([]),
    options: z
      .array(z.strictObject({ id, severity: z.enum(severities).optional(), message: z.string() }))
      .default([]),
    inputs: z.array(input).default([]),
    /** Actions that only show once this one is chosen, and those that it takes the place of. */
    enables: z.array(id).default([]),
    disables: z.array(id).default([]),
  })
  .refine(
    ({ kind, message, cases, options }) =>
      kind === 'button' || kind === 'toggle'
        ? message !== undefined
        : kind === 'conditional-button'
          ? cases.at(-1)?.when === undefined && cases.length > 0
          : options.length > 0,
    'has no message',
  );
const stage = z.strictObject({
  id,
  /** The page of the project that shows what the stage is about. */
  page: z.string(),
  /** Projects that have the stage: all by default. */
  when: z.enum(['modpack', 'no_versions', 'approved']).optional(),
  actions: z.array(action),
});
const texts = z.strictObject({ approve: z.string(), withhold: z.string(), reject: z.string() });

/** Facts about a project that messages may name. */
const factNames = ['title', 'slug', 'type', 'license'] as const;
export type Facts = Readonly<Record<(typeof factNames)[number], string>>;

/** The variables that a message names: `title`, `input:link`. */
const variablesIn = (message: string): string[] =>
  [...message.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);

export type Action = z.output<typeof action>;
export type Stage = z.output<typeof stage>;

/** All messages of an action. */
const messagesOf = ({ message, cases, options }: Action): string[] =>
  [message, ...cases.map((one) => one.message), ...options.map((one) => one.message)].flatMap(
    (one) => one ?? [],
  );

/** Refuses unknown variables, ids that repeat, and names of choices that there are not. */
export const checklistShape = z
  .strictObject({ opening: texts, closing: z.string(), stages: z.array(stage) })
  .superRefine(({ opening, closing, stages }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const actions = stages.flatMap((one) => one.actions);
    const ids = actions.map((one) => one.id);
    const choices = new Set(
      actions.flatMap((one) => [one.id, ...one.options.map((option) => `${one.id}/${option.id}`)]),
    );
    if (new Set(ids).size < ids.length) refuse('two actions have the same id');
    const check = (where: string, message: string, inputs: string[]) => {
      const known: string[] = [...factNames, ...inputs.map((name) => `input:${name}`)];
      for (const name of variablesIn(message))
        if (!known.includes(name)) refuse(`${where}: the variable {${name}} is unknown`);
    };
    for (const one of actions) {
      for (const message of messagesOf(one))
        check(
          one.id,
          message,
          one.inputs.map((given) => given.id),
        );
      const named = [...one.enables, ...one.disables, ...one.cases.flatMap(({ when }) => when ?? [])];
      for (const name of named) if (!choices.has(name)) refuse(`${one.id}: there is no choice ${name}`);
    }
    for (const message of [...Object.values(opening), closing]) check('opening', message, []);
  });
export type ReviewChecklist = z.output<typeof checklistShape>;

export const reviewChecklist: ReviewChecklist = checklistShape.parse(reviewChecklistSource);

/** The stages that a project has. */
export const stagesFor = ({
  project_type,
  versions,
  is_approved,
}: {
  project_type: string;
  versions: number;
  is_approved: boolean;
}): Stage[] =>
  reviewChecklist.stages.filter(
    ({ when }) =>
      when === undefined ||
      (when === 'modpack' && project_type === 'modpack') ||
      (when === 'no_versions' && versions === 0) ||
      (when === 'approved' && is_approved),
  );
