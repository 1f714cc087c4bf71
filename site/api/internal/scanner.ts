import { z } from 'zod';
import { whyNotReview } from '#db/catalogue/review-locks/rules.ts';
import { enqueueAgain } from '#db/catalogue/scans/enqueue.ts';
import {
  archiveRules,
  codeRules,
  issueTypes,
  rules_version,
  type Severity,
  severities,
} from '#db/moderation/scanner/rules.ts';
import { ingestFindings } from '#db/moderation/technical-review/ingest.ts';
import { ingestShape } from '#db/moderation/technical-review/shape.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { announcingOf } from '../../moderation/technical-review/announcing.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { assertAdminKey } from './admin.ts';

const tag = 'moderation';
const cached = 'private, max-age=60';

/** The scanner: its rules, and what another scanner has to say. Source: api-v3 §5. */
export function scannerRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/delphi/ingest',
    summary: 'Add what another scanner found in a file',
    tag,
    body: ingestShape,
    handle: async ({ services, request, body, begin, now }) => {
      assertAdminKey(services.settings, request);
      await begin((tx) => ingestFindings(tx, body, { announcing: announcingOf(services), now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/delphi/run',
    summary: 'Scan a file again',
    tag,
    needs: ['PROJECT_WRITE'],
    query: z.object({ file_id: z.string() }),
    handle: async ({ query: { file_id }, actor, begin, now }) => {
      assertAllowed(whyNotReview(actor));
      if (!(await begin((tx) => enqueueAgain(tx, file_id, now)))) throw new Refused('not_found');
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/delphi/version',
    summary: 'The version of the rules',
    tag,
    needs: ['PROJECT_READ'],
    answer: z.int(),
    handle: async ({ actor }) => {
      assertAllowed(whyNotReview(actor));
      return rules_version;
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/delphi/issue_type/schema',
    summary: 'The kinds of traces, each with the severities it may have',
    tag,
    needs: ['PROJECT_READ'],
    answer: z.record(z.string(), z.object({ severities: z.array(z.enum(severities)) })),
    handle: async ({ actor, header }) => {
      assertAllowed(whyNotReview(actor));
      header('cache-control', cached);
      return issueTypeSchema();
    },
  });
}

/** Each kind of trace of our own scanner with the severities of its rules. */
function issueTypeSchema(): Record<string, { severities: Severity[] }> {
  const rules = [...codeRules, ...archiveRules];
  const severitiesOf = (type: string) =>
    rules.filter((rule) => rule.type === type).map(({ severity }) => severity);
  return Object.fromEntries(
    issueTypes.map((type) => [type, { severities: [...new Set(severitiesOf(type))] }]),
  );
}
