import type { Choices } from '#db/moderation/review/progress.ts';
import type { Verdict } from '#db/moderation/review/rules.ts';
import {
  type Action,
  type Facts,
  reviewChecklist,
  type Stage,
  type Suggestion,
  suggestions,
} from './review-checklist.ts';

/** What the choices of a reviewer come to. */
export interface Composed {
  message: string;
  /** How many points the message has. */
  points: number;
  suggests: Suggestion;
  /** Names of inputs that must be filled in: `links_dead:link`. */
  missing: string[];
}

const verdictOf: Record<Suggestion, Verdict> = {
  approved: 'approve',
  flagged: 'withhold',
  rejected: 'reject',
};

/** The verdict that a status suggests. */
export const suggestedVerdict = (suggests: Suggestion): Verdict => verdictOf[suggests];

/** The chosen actions of these stages: those that another choice enables only with it, none that another takes the place of. */
function chosenActions(stages: readonly Stage[], choices: Choices): Action[] {
  const actions = stages.flatMap((stage) => stage.actions);
  const is_set = (action: Action) =>
    action.kind === 'multi-select-chips'
      ? action.options.some(({ id }) => choices[`${action.id}/${id}`])
      : action.kind === 'dropdown'
        ? action.options.some(({ id }) => choices[action.id] === id)
        : Boolean(choices[action.id]);
  const set = actions.filter(is_set);
  const dependent = new Set(actions.flatMap((action) => action.enables));
  const enabled = new Set(set.flatMap((action) => action.enables));
  const disabled = new Set(set.flatMap((action) => action.disables));
  return set.filter(({ id }) => !disabled.has(id) && (!dependent.has(id) || enabled.has(id)));
}

function messagesOf({ id, kind, message, cases, options }: Action, choices: Choices): string[] {
  if (kind === 'dropdown') return options.filter((one) => choices[id] === one.id).map((one) => one.message);
  if (kind === 'multi-select-chips')
    return options.filter((one) => choices[`${id}/${one.id}`]).map((one) => one.message);
  if (kind === 'conditional-button')
    return [cases.find(({ when }) => when === undefined || choices[when])!.message];
  return [message!];
}

/** What somebody wrote, so that it stays text: Markdown has no meaning in it. */
const asText = (text: string): string => text.trim().replace(/[\\`*_[\]<>~|]/g, '\\$&');

/** Fills variables in; within code spans the text stands as it is, without backticks. Values are not looked through again. */
function filled(message: string, values: Readonly<Record<string, string>>): string {
  return message
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.replace(/\{([^{}]*)\}/g, (_, name: string) => {
        const value = values[name] ?? '';
        return part.startsWith('`') ? value.trim().replaceAll('`', '') : asText(value);
      }),
    )
    .join('')
    .trim();
}

/** The message and the suggested status of the choices. Source: screens §E.2. */
export function compose(stages: readonly Stage[], choices: Choices, facts: Facts): Composed {
  const chosen = chosenActions(stages, choices).sort((a, b) => a.weight - b.weight);
  const parts = chosen.flatMap((action) => {
    const inputs = action.inputs.map(
      ({ id }) => [`input:${id}`, choices[`${action.id}:${id}`] ?? ''] as const,
    );
    const values = { ...facts, ...Object.fromEntries(inputs) };
    return messagesOf(action, choices).map((message) => filled(message, values));
  });
  const suggests =
    suggestions[Math.max(0, ...chosen.map((one) => suggestions.indexOf(one.suggests ?? 'approved')))]!;
  const missing = chosen.flatMap(({ id, inputs }) =>
    inputs
      .filter((one) => one.required && !choices[`${id}:${one.id}`]?.trim())
      .map((one) => `${id}:${one.id}`),
  );
  const opening = filled(reviewChecklist.opening[suggestedVerdict(suggests)], facts);
  const closing = suggests === 'approved' ? [] : [reviewChecklist.closing];
  const message = parts.length === 0 ? '' : [opening, ...parts, ...closing].join('\n\n');
  return { message, points: parts.length, suggests, missing };
}
