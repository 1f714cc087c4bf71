import type { AppServices } from '../../context.ts';
import { projectFormRoute } from '../route/project-form.ts';
import type { Api } from '../route/types.ts';
import { analyticsForm } from './project-analytics.ts';
import { licenseForm } from './project-license.ts';
import { linksForm } from './project-links.ts';
import { tagsForm } from './project-tags.ts';

/** The forms of a project's settings that only save fields of it. */
export function projectFieldRoutes(api: Api, services: AppServices): void {
  projectFormRoute(api, services, analyticsForm);
  projectFormRoute(api, services, licenseForm);
  projectFormRoute(api, services, linksForm);
  projectFormRoute(api, services, tagsForm);
}
