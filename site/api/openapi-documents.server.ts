import { parseSettings } from '#db/platform/runtime/env.ts';
import type { ApiDocument } from '../discovery/docs/reference/document.ts';
import type { Documents } from '../discovery/docs/reference/operations.ts';
import type { AppServices } from '../platform/context.ts';
import { token } from '../platform/static-pages/tokens.ts';
import { publicApis } from './app.ts';
import { documentOf } from './openapi-document.ts';

let made: Documents | undefined;

/** The documents that `/v2/openapi.json` and `/v3/openapi.json` answer, with a token for the address of the site. */
export function apiDocuments(): Documents {
  if (made) return made;
  const settings = { ...parseSettings({}), SITE_URL: token('SITE_URL') };
  const apis = publicApis({ settings } as AppServices);
  const documents = Object.entries(apis).map(([prefix, api]) => [
    Number(prefix.replace('/v', '')),
    documentOf(api, prefix, settings.SITE_URL) as unknown as ApiDocument,
  ]);
  made = Object.fromEntries(documents) as Documents;
  return made;
}
