import type { AppServices } from '../../platform/context.ts';
import type { Api } from '../../platform/route/types.ts';
import { analyticsForm } from './analytics-form.server.ts';
import { licenseForm } from './license-form.server.ts';
import { linksForm } from './links-form.server.ts';
import { projectFormRoute } from './project-form.server.ts';
import { tagsForm } from './tags-form.server.ts';

/** The forms of a project's settings that only save fields of it. */
export function projectFieldRoutes(api: Api, services: AppServices): void {
  projectFormRoute(api, services, analyticsForm);
  projectFormRoute(api, services, licenseForm);
  projectFormRoute(api, services, linksForm);
  projectFormRoute(api, services, tagsForm);
}
