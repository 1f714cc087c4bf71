import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../context.ts';
import type { Language } from '../text/languages.ts';

/** A request for a machine-readable document: a feed, a sitemap, a manifest. */
export interface DocumentRequest {
  services: AppServices;
  language: Language;
  messages: Messages;
  /** The whole requested address, on the origin of SITE_URL. */
  url: URL;
  /** Adds a cache tag, as pages do: an event with this tag invalidates the stored document. */
  tag(tag: string): void;
  /** The addresses of the pages that the build prerendered. */
  prerendered: readonly string[];
}

/** A finished document; `localized`: it contains translated text, so it differs by language. */
export interface Document {
  type: string;
  body: string;
  localized: boolean;
  /** The sources of styles that its content security policy allows; none by default. */
  style?: string;
}

/**
 * Answers an address: with a document, the path it moved to, or null for 404. `parts`: the matched segments of the
 * path.
 */
export type DocumentHandler = (
  requested: DocumentRequest,
  ...parts: string[]
) => Promise<Document | { to: string } | null>;

/** The absolute address of one of our paths, with `hl` added when the requested address has one. */
export function urlIn({ services, url }: Pick<DocumentRequest, 'services' | 'url'>, path: string): string {
  const hl = url.searchParams.get('hl');
  return `${services.settings.SITE_URL}${path}${hl ? `?hl=${encodeURIComponent(hl)}` : ''}`;
}
