import { OpenAPIHono } from '@hono/zod-openapi';
import { refusals } from '#db/platform/errors.ts';
import { providerAccountRoutes } from '../accounts/providers/account-routes.server.ts';
import { providerSignInRoutes } from '../accounts/providers/sign-in-routes.server.ts';
import type { AppServices } from '../platform/context.ts';
import type { Records } from '../platform/ready-answers/records.ts';
import { type ApiLimiter, apiLimiter } from '../platform/route/api-limiter.ts';
import { errorResponse } from '../platform/route/error-response.ts';
import {
  anyOrigin,
  bodiless,
  compressed,
  context,
  limited,
  preflight,
} from '../platform/route/middleware.ts';
import type { Api, ApiEnv } from '../platform/route/types.ts';
import { accountRoutes } from './auth/account-routes.ts';
import { emailRoutes } from './auth/email-routes.ts';
import { passkeyRoutes } from './auth/passkey-routes.ts';
import { passwordRoutes } from './auth/password-routes.ts';
import { strengthRoute } from './auth/strength.ts';
import { twoFactorRoutes } from './auth/two-factor-routes.ts';
import { bulkEditRoutes } from './bulk-edit.ts';
import { forgeUpdateRoutes } from './forge-updates.ts';
import { formRoutes } from './form-routes.ts';
import { friendRoutes } from './friends.ts';
import { galleryRoutes } from './gallery.ts';
import { imageRoutes } from './images.ts';
import { billingRoutes } from './internal/billing.ts';
import { followUserRoutes } from './internal/follow-user.ts';
import { globalRoutes } from './internal/globals.ts';
import { mailPreviewRoutes } from './internal/mail-previews.ts';
import { orderRoutes } from './internal/orders.ts';
import { previewRoutes } from './internal/preview.ts';
import { staffRoutes } from './internal/staff-routes.ts';
import { suggestRoutes } from './internal/suggest.ts';
import { uploadRoutes } from './internal/uploads.ts';
import { viewerRoutes } from './internal/viewer.ts';
import { mavenRoutes } from './maven.ts';
import { moderationNoteRoutes } from './moderation-notes.ts';
import { notificationRoutes } from './notifications.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { serverMetadata } from './oauth/server-metadata.ts';
import { openapi } from './openapi-document.ts';
import { preferenceRoutes } from './preferences.ts';
import { reportRoutes } from './reports.ts';
import { about } from './root.ts';
import { scheduleRoutes } from './schedule.ts';
import { sessionRoutes } from './sessions.ts';
import { threadRoutes } from './threads.ts';
import { tokenRoutes } from './tokens.ts';
import { usageRoutes } from './usage.ts';
import { userEditRoutes } from './user-edits.ts';
import { projectRoutes } from './v2/projects.ts';
import { searchRoutes } from './v2/search.ts';
import { tagRoutes } from './v2/tags.ts';
import { teamRoutes } from './v2/teams.ts';
import { userRoutes } from './v2/users.ts';
import { versionFileRoutes } from './v2/version-files.ts';
import { versionRoutes } from './v2/versions.ts';
import { analyticsRoutes } from './v3/analytics.ts';
import { collectionRoutes } from './v3/collections.ts';
import { contentResolveRoutes } from './v3/content-resolve.ts';
import { disclosureRoutes } from './v3/disclosures.ts';
import { limitRoutes } from './v3/limits.ts';
import { organizationRoutes } from './v3/organizations.ts';
import { payoutRoutes } from './v3/payouts.ts';
import { projectCreateRoutes } from './v3/project-create.ts';
import { projectRoutesV3 } from './v3/projects.ts';
import { searchRoutes as searchRoutesV3 } from './v3/search.ts';
import { tagRoutesV3 } from './v3/tags.ts';
import { teamRoutesV3 } from './v3/teams.ts';
import { userRoutesV3 } from './v3/users.ts';
import { versionFileRoutesV3 } from './v3/version-files.ts';
import { versionRoutesV3 } from './v3/versions.ts';

const unknownRoute = {
  error: 'not_found',
  description: refusals.route_not_found[1],
  details: { code: 'route_not_found' },
};
const oldApi = {
  error: 'api_deprecated',
  description: 'Version 1 of this API is gone. Use version 2 below /v2.',
};

/** What the API shares with what answers in its place. */
interface Shared {
  limiter?: ApiLimiter;
  /** Answers of many versions or projects from memory. */
  records?: Records | null;
}

/**
 * The whole API as one Hono app: `/v2`, `/v3`, `/_internal`, and what API clients request at `/`. Every answer is JSON
 * or empty; pages never answer below these prefixes. Source: api-v2 §1.
 */
export function createApi(
  services: AppServices,
  { limiter = apiLimiter(services), records = null }: Shared = {},
): Api {
  const app = new OpenAPIHono<ApiEnv>();
  const siteUrl = services.settings.SITE_URL;
  app.use(context(services));
  const shared = [
    '/v2/*',
    '/v3/*',
    '/maven/*',
    '/updates/*',
    '/analytics/*',
    '/.well-known/*',
    '/',
    '/build',
  ];
  for (const path of shared) app.use(path, anyOrigin);
  app.use(limited(limiter));
  for (const path of shared) app.use(path, preflight);
  app.use(bodiless, compressed);

  app.get('/', (c) => c.json(about(services.settings)));
  app.get('/build', (c) => c.json(about(services.settings)));
  app.get('/.well-known/oauth-authorization-server', (c) => c.json(serverMetadata(siteUrl)));
  app.all('/api/v1/*', (c) => c.json(oldApi, 410));
  mavenRoutes(app);
  forgeUpdateRoutes(app);
  usageRoutes(app, services);
  for (const [prefix, api] of Object.entries(publicApis(services, records))) app.route(prefix, api);
  app.route('/_internal', internal(services));
  app.notFound((c) => c.json(unknownRoute, 404));
  app.onError((error, c) => errorResponse(c, error, { create_errors: false }));
  return app;
}

/**
 * The two versions of the public API by their prefix, without the middleware around them: enough to read their OpenAPI
 * documents. Of `services` only the settings are read before a request.
 */
export const publicApis = (
  services: AppServices,
  records: Records | null = null,
): Record<'/v2' | '/v3', Api> => ({
  '/v2': v2(services.settings.SITE_URL, services, records),
  '/v3': v3(services.settings.SITE_URL, records),
});

function v2(siteUrl: string, services: AppServices, records: Records | null): Api {
  const api: Api = new OpenAPIHono<ApiEnv>();
  searchRoutes(api);
  versionRoutes(api);
  versionFileRoutes(api, records);
  projectRoutes(api, records);
  teamRoutes(api);
  userRoutes(api);
  tagRoutes(api);
  galleryRoutes(api, 2);
  bulkEditRoutes(api, 2);
  scheduleRoutes(api);
  notificationRoutes(api, 2);
  reportRoutes(api, 2);
  threadRoutes(api, 2);
  userEditRoutes(api);
  sessionRoutes(api);
  tokenRoutes(api);
  providerSignInRoutes(api, services);
  providerAccountRoutes(api, services);
  signInRoutes(api);
  emailRoutes(api);
  openapi(api, '/v2', siteUrl);
  return api;
}

/** Routes by which programs sign in and change what protects an account. */
function signInRoutes(api: Api): void {
  accountRoutes(api);
  twoFactorRoutes(api);
  passwordRoutes(api);
  passkeyRoutes(api);
}

function v3(siteUrl: string, records: Records | null): Api {
  const api: Api = new OpenAPIHono<ApiEnv>();
  searchRoutesV3(api);
  projectRoutesV3(api, records);
  analyticsRoutes(api);
  payoutRoutes(api);
  collectionRoutes(api);
  galleryRoutes(api, 3);
  bulkEditRoutes(api, 3);
  notificationRoutes(api, 3);
  reportRoutes(api, 3);
  threadRoutes(api, 3);
  userEditRoutes(api);
  imageRoutes(api);
  friendRoutes(api);
  preferenceRoutes(api);
  moderationNoteRoutes(api);
  teamRoutesV3(api);
  organizationRoutes(api);
  limitRoutes(api);
  userRoutesV3(api);
  tagRoutesV3(api);
  projectCreateRoutes(api);
  disclosureRoutes(api);
  versionRoutesV3(api);
  versionFileRoutesV3(api, records);
  contentResolveRoutes(api);
  oauthRoutes(api);
  openapi(api, '/v3', siteUrl);
  return api;
}

function internal(services: AppServices): Api {
  const api: Api = new OpenAPIHono<ApiEnv>();
  formRoutes(api, services);
  strengthRoute(api);
  emailRoutes(api);
  mailPreviewRoutes(api, services);
  globalRoutes(api);
  sessionRoutes(api);
  tokenRoutes(api);
  providerSignInRoutes(api, services);
  providerAccountRoutes(api, services);
  signInRoutes(api);
  viewerRoutes(api);
  uploadRoutes(api);
  oauthRoutes(api);
  previewRoutes(api);
  staffRoutes(api, services);
  followUserRoutes(api);
  suggestRoutes(api);
  billingRoutes(api, services);
  orderRoutes(api);
  return api;
}
