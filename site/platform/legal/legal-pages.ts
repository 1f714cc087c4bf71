import type { MessageKey } from '#content/messages.ts';

/** The legal pages in the order of their navigation, with their short names. Source: specification §2 (/legal). */
export const legalPages = [
  { page: 'terms', name: 'legal.terms' },
  { page: 'rules', name: 'legal.rules' },
  { page: 'copyright', name: 'legal.copyright' },
  { page: 'security', name: 'legal.security' },
  { page: 'privacy', name: 'legal.privacy' },
  { page: 'ccpa', name: 'legal.ccpa' },
  { page: 'cmp-info', name: 'legal.cmp_info' },
  { page: 'cmp', name: 'legal.cmp' },
] as const satisfies ReadonlyArray<{ page: string; name: MessageKey }>;

export type LegalPageName = (typeof legalPages)[number]['page'];

export const legalPath = (page: LegalPageName): string => `/legal/${page}`;
