import { parseSettings } from '#db/runtime/env.ts';
import { publicApis } from '../../api/app.ts';
import { documentOf } from '../../api/route/openapi-document.ts';
import type { AppServices } from '../../context.ts';
import { token } from '../../static-pages/tokens.ts';
import type { ApiDocument } from './document.ts';
import type { Documents } from './operations.ts';

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
