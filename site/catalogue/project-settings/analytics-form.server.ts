import { z } from 'zod';
import { defineProjectForm } from '../../platform/forms/project-form.ts';

/** The form of `/{type}/{id}/settings/analytics`. */
export const analyticsForm = defineProjectForm({
  screen: 'analytics',
  shape: { shows_downloads: z.string().max(10).optional() },
  parts: { shows_downloads: { name: 'project_analytics.shows_downloads', fields: ['shows_downloads'] } },
  boxes: ['shows_downloads'],
  errors: {},
  fieldsOf: (own) => (own.shows_downloads ? { shows_downloads: 'on' } : ({} as Record<string, string>)),
  partsOf({ shows_downloads }) {
    const shows = shows_downloads !== undefined;
    return { shows_downloads: { text: shows ? '✓' : '', change: { shows_downloads: shows } } };
  },
});
