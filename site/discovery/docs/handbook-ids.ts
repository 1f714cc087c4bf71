import type { MessageKey } from '#content/messages.ts';

/** The handbooks, as in `content/docs/` and in addresses. */
export const handbookIds = ['operators', 'creators', 'api'] as const;
export type HandbookId = (typeof handbookIds)[number];

/** Name of each handbook, and one sentence about it. */
export const handbookTexts = {
  operators: ['docs.operators', 'docs.operators_text'],
  creators: ['docs.creators', 'docs.creators_text'],
  api: ['docs.api', 'docs.api_text'],
} as const satisfies Record<HandbookId, readonly [MessageKey, MessageKey]>;

/** Where the search index of a handbook is: prerendered, and loaded when somebody goes to the search box. */
export const indexPath = (id: HandbookId): string => `/docs/${id}.json`;
