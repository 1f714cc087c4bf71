import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { categories, sortCategories } from '#db/catalogue/tags/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { defineProjectForm, type FieldValues } from '../../platform/forms/project-form.ts';

/** Every category, once. */
const names = sortCategories([...new Set(categories.map(({ name }) => name))]);

export const tagField = (name: string): string => `tag_${name}`;
export const featuredField = (name: string): string => `featured_${name}`;
const boxes = names.flatMap((name) => [tagField(name), featuredField(name)]);
const box = z.string().max(10).optional();

const featuredOf = (fields: FieldValues) => names.filter((name) => fields[featuredField(name)] !== undefined);

/** The form of `/{type}/{id}/settings/tags`. */
export const tagsForm = defineProjectForm({
  screen: 'tags',
  shape: Object.fromEntries(boxes.map((name) => [name, box])),
  parts: { tags: { name: 'project_settings.tags', fields: ['tags', ...boxes] } },
  boxes,
  errors: { invalid_input: { field: 'tags', text: 'project_settings.featured_too_many' } },
  fieldsOf: (own) =>
    Object.fromEntries([
      ...[...own.categories, ...own.additional_categories].map((name) => [tagField(name), 'on']),
      ...own.categories.map((name) => [featuredField(name), 'on']),
    ]),
  partsOf(fields) {
    const featured = featuredOf(fields);
    const others = names.filter((name) => fields[tagField(name)] !== undefined && !featured.includes(name));
    return {
      tags: {
        text: [featured.map((name) => `★ ${name}`), others].flat().join(', '),
        change: { categories: featured, additional_categories: others },
      },
    };
  },
  check(fields) {
    if (featuredOf(fields).length > limits.categories)
      throw new Refused('invalid_input', { problem: `at most ${limits.categories} featured tags` });
  },
});
