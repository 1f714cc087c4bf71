import type { MessageKey } from '#content/messages.ts';

/** The longest path that is displayed on an error page, in characters. */
const max_path = 200;

/** A decoded and truncated path for display. */
export function displayPath(path: string): string {
  try {
    return cut(decodeURI(path));
  } catch {
    return cut(path); // invalid escapes stay as received
  }
}

const cut = (text: string): string =>
  text.length > max_path ? `${[...text].slice(0, max_path).join('')}…` : text;

interface MissingKind {
  title: MessageKey;
  lead: MessageKey;
  reasons: readonly MessageKey[];
}

const project: MissingKind = {
  title: 'problem.project_title',
  lead: 'problem.project_lead',
  reasons: ['problem.mistyped', 'problem.project_moved', 'problem.project_taken_down'],
};

/** What the middleware tells the error page. */
export interface Problem {
  status: number;
  /** The text of a refusal that has one of its own. */
  text?: string;
}

/** The texts of an error page, from the title down. */
export interface ErrorText {
  title: MessageKey;
  leads: readonly MessageKey[];
  /** Possible reasons. */
  reasons: readonly MessageKey[];
  /** Whether a retry may help. */
  can_retry: boolean;
  /** The message when the refusal has none of its own; null for none. */
  message: MessageKey | null;
}

/** The kind of missing resource, by the beginning of the address. Source: specification §2 (error pages). */
const lostByPrefix: Readonly<Record<string, MissingKind>> = {
  mod: project,
  datapack: project,
  resourcepack: project,
  plugin: project,
  shader: project,
  modpack: project,
  project,
  user: {
    title: 'problem.user_title',
    lead: 'problem.user_lead',
    reasons: ['problem.mistyped', 'problem.user_renamed', 'problem.user_terminated'],
  },
  organization: {
    title: 'problem.organization_title',
    lead: 'problem.organization_lead',
    reasons: ['problem.mistyped', 'problem.organization_moved', 'problem.organization_taken_down'],
  },
  collection: {
    title: 'problem.collection_title',
    lead: 'problem.collection_lead',
    reasons: ['problem.mistyped', 'problem.collection_private', 'problem.collection_taken_down'],
  },
};

/**
 * The texts for `status` at `path`: missing, unavailable for legal reasons, forbidden (without leads: its refusal stands in
 * their place), or any other error.
 * Source: specification §2 (error pages).
 */
export function errorTextOf(status: number, path: string): ErrorText {
  if (status === 404) {
    const lost = missingKindAt(path);
    if (lost)
      return {
        title: lost.title,
        leads: [lost.lead],
        reasons: lost.reasons,
        can_retry: false,
        message: null,
      };
    const leads = ['problem.not_found_lead'] as const;
    return { title: 'problem.not_found', leads, reasons: [], can_retry: false, message: 'problem.no_page' };
  }
  if (status === 451) {
    const leads = ['problem.unavailable_lead', 'problem.unavailable_hint'] as const;
    return { title: 'problem.unavailable', leads, reasons: [], can_retry: false, message: null };
  }
  // trying again does not give anybody a right: the refusal itself says what would
  if (status === 403)
    return { title: 'problem.forbidden', leads: [], reasons: [], can_retry: false, message: null };
  const leads = ['problem.went_wrong', 'problem.try_again'] as const;
  return { title: 'problem.uh_oh', leads, reasons: [], can_retry: true, message: 'problem.our_mistake' };
}

/** The specific text for a missing page, or null for the general one. */
export function missingKindAt(path: string): MissingKind | null {
  const [, prefix = '', rest] = path.split('/');
  return rest && Object.hasOwn(lostByPrefix, prefix) ? lostByPrefix[prefix]! : null;
}
