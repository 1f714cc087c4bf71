import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import { optionalUrl } from '../../platform/forms/optional-url.ts';
import { defineProjectForm } from '../../platform/forms/project-form.ts';
import { choiceOf, licenseOfChoice, no_license } from './license-choice.server.ts';

/** The form of `/{type}/{id}/settings/license`. */
export const licenseForm = defineProjectForm({
  screen: 'license',
  shape: {
    license: z.string().min(1).max(200),
    or_later: z.string().max(10).optional(),
    custom_license: z.string().trim().max(500).optional(),
    license_url: optionalUrl,
  },
  parts: {
    license: {
      name: 'project_settings.license',
      fields: ['license', 'or_later', 'custom_license', 'license_url'],
    },
  },
  boxes: ['or_later'],
  invalid: { license_url: 'form.invalid_url' },
  errors: { license_unknown: 'custom_license', checklist_license: 'license' },
  fieldsOf(own) {
    const { license, later, custom } = choiceOf(own.license_id);
    return {
      license,
      ...(later && { or_later: 'on' }),
      custom_license: custom,
      license_url: own.license_url ?? '',
    };
  },
  partsOf({ license = '', or_later, custom_license = '', license_url = '' }) {
    const id = licenseOfChoice({ license, later: or_later !== undefined, custom: custom_license });
    return {
      license: {
        text: [id, license_url].filter((text) => text !== '').join(' '),
        // no name: the rule says what is wrong
        change: { license_id: id === '' ? '-' : id, license_url: license_url === '' ? null : license_url },
      },
    };
  },
  check({ license }) {
    // what a new project has until a member chooses; the API takes it, as tools send it
    if (license === no_license) throw new Refused('checklist_license');
  },
});
