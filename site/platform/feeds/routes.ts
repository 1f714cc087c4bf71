import type { Document } from '../http/document.ts';

/** An Atom document as a response. */
export const feedDocument = (body: string): Document => ({
  type: 'application/atom+xml; charset=utf-8',
  body,
  localized: true,
});
