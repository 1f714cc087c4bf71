import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../context.ts';
import type { Language } from '../text/languages.ts';

/** A question for something that programs read: a feed, a sitemap, a manifest. */
export interface DocumentRequest {
  services: AppServices;
  language: Language;
  messages: Messages;
  /** The address asked for, whole, as SITE_URL has it. */
  url: URL;
  /** Tells the page store what was shown, as pages do. */
  tag(tag: string): void;
}

/** A ready text; `said`: it holds words of ours, so it differs by language. */
export interface Document {
  type: string;
  body: string;
  localized: boolean;
}

/** What answers an address: a text, the path where it lies now, or null where nothing is. `parts`: of the address. */
export type DocumentHandler = (
  requested: DocumentRequest,
  ...parts: string[]
) => Promise<Document | { to: string } | null>;

/** The whole address of one of our own paths, with `hl` kept while the address asked for has one. */
export function urlIn({ services, url }: Pick<DocumentRequest, 'services' | 'url'>, path: string): string {
  const hl = url.searchParams.get('hl');
  return `${services.settings.SITE_URL}${path}${hl ? `?hl=${encodeURIComponent(hl)}` : ''}`;
}
