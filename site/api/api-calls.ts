import type { z } from 'zod';
import type { collectionShape } from '#db/catalogue/collections/shape.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { Image } from '#db/messages/images/read.ts';
import type { AnalyticsAnswer, Announcement } from '../discovery/analytics/answer.ts';
import type { reportedItemShape } from '../moderation/reports/report-forms.server.ts';
import type { savedReviewShape } from '../moderation/review/review-forms.server.ts';
import type { strengthShape } from './auth/strength.ts';
import type { previewShape } from './internal/preview.ts';
import type { suggestionsShape } from './internal/suggest.ts';
import type { viewerShape } from './internal/viewer.ts';
import type { licenseShape } from './tags.ts';
import type { searchResultShape } from './v2/search.ts';
import type { gameVersionShape } from './v2/tags.ts';
import type { foundUserShape } from './v3/users.ts';
import type { versionV3Shape } from './v3/version-shape.ts';

/**
 * What the routes that our scripts call answer, by the shapes that the routes are declared with: only types, so nothing of
 * the server is in a bundle. `api-calls.test.ts` checks that each is served and answers its shape.
 */
declare module '../platform/browser/api-calls.ts' {
  interface ApiCalls {
    'POST /v3/analytics': AnalyticsAnswer;
    'GET /v3/analytics-event': Announcement[];
    'POST /_internal/moderation/review/save': z.output<typeof savedReviewShape>;
    'GET /v2/project/{id}': Project;
    'GET /v2/projects': Project[];
    'GET /v2/user/{id}/projects': Project[];
    'POST /v2/project/{id}/follow': null;
    'DELETE /v2/project/{id}/follow': null;
    'POST /_internal/user/{id}/follow': null;
    'DELETE /_internal/user/{id}/follow': null;
    'GET /v2/project/{id}/version': Version[];
    'DELETE /v2/version/{id}': null;
    'POST /v2/version/{id}/schedule': null;
    'GET /v2/versions': Version[];
    'POST /v2/version_files': Record<string, Version>;
    'DELETE /v2/version_file/{hash}': null;
    'GET /v2/search': z.output<typeof searchResultShape>;
    'GET /v2/tag/game_version': Array<z.output<typeof gameVersionShape>>;
    'GET /v2/tag/license/{id}': z.output<typeof licenseShape>;
    'GET /v3/collection/{id}': z.output<typeof collectionShape>;
    'PATCH /v3/collection/{id}': null;
    'POST /v3/collection': z.output<typeof collectionShape>;
    'GET /v3/user/{id}/collections': Array<z.output<typeof collectionShape>>;
    'GET /v3/users/search': Array<z.output<typeof foundUserShape>>;
    'PATCH /v3/project/{id}': null;
    'PATCH /v3/version/{id}': null;
    'POST /v3/image': Image;
    'POST /_internal/preview': z.output<typeof previewShape>;
    'GET /_internal/suggest': z.output<typeof suggestionsShape>;
    'GET /_internal/reports/item': z.output<typeof reportedItemShape>;
    'POST /_internal/auth/password-strength': z.output<typeof strengthShape>;
    'POST /_internal/viewer': z.output<typeof viewerShape>;
    'POST /_internal/versions': z.output<typeof versionV3Shape>;
    'POST /_internal/versions/{id}/files': null;
  }
}
