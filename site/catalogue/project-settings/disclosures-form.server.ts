import { z } from 'zod';
import { type DisclosureType, disclosureTypes } from '#db/catalogue/disclosures/rules.ts';
import { disclosureInput, type EditData } from '#db/catalogue/disclosures/shape.ts';
import { editDisclosures } from '#db/catalogue/disclosures/write.ts';
import { ownFields } from '#db/catalogue/projects/own-fields.ts';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../../platform/context.ts';
import { outdatedParts, touchedParts } from '../../platform/forms/form-parts.ts';
import { defineProjectForm, type FieldValues } from '../../platform/forms/project-form.ts';
import type { Api } from '../../platform/route/types.ts';
import {
  disclosureBoxes,
  disclosureIn,
  disclosureNames,
  disclosureParts,
  fieldsOfDisclosures,
  fieldsOfType,
  partField,
} from '../disclosures/disclosure-form.ts';
import { projectFormRoute } from './project-form.server.ts';

/** The longest text of a field, in characters: a list of 64 entries. */
const max_text = 64 * 257;
const limit_bytes = 1024 * 1024;
const boxes = new Set(disclosureBoxes);
const names = disclosureTypes.flatMap(fieldsOfType);

export const disclosuresForm = defineProjectForm({
  screen: 'disclosures',
  shape: Object.fromEntries(
    names.map((name) => [
      name,
      z
        .string()
        .max(boxes.has(name) ? 10 : max_text)
        .optional(),
    ]),
  ),
  parts: Object.fromEntries(
    disclosureTypes.map((type) => [type, { name: disclosureNames[type][0], fields: fieldsOfType(type) }]),
  ),
  boxes: disclosureBoxes,
  errors: { disclosure_locked: {} },
  fieldsOf: (own) => fieldsOfDisclosures(own.disclosures),
  // nothing of the project's own columns: `beside` writes them
  partsOf: (fields) =>
    Object.fromEntries(disclosureTypes.map((type) => [type, { text: textOf(type, fields), change: {} }])),
  check(fields) {
    for (const type of disclosureTypes) {
      const given = disclosureIn(type, fields);
      const { error } = given ? disclosureInput.safeParse(given) : { error: undefined };
      if (!error) continue;
      const part = disclosureParts[type].find((one) => one === error.issues[0]?.path[0]);
      throw new Refused('invalid_input', {
        problem: z.prettifyError(error),
        field: part ? partField(type, part) : fieldsOfType(type)[0],
      });
    }
  },
});

/** What one disclosure says, for comparing two versions. */
function textOf(type: DisclosureType, fields: FieldValues): string {
  const given = disclosureIn(type, fields);
  if (!given) return '';
  const { type: _, ...parts } = given;
  const lines = Object.values(parts).flatMap((value) =>
    Array.isArray(value)
      ? value.map((one) => (typeof one === 'string' ? one : Object.values(one).join(' ')))
      : [value],
  );
  return ['✓', ...lines.filter(Boolean)].join('\n');
}

/** The form of `/{type}/{id}/settings/disclosures`. */
export function projectDisclosuresRoutes(api: Api, services: AppServices): void {
  projectFormRoute(api, services, disclosuresForm, {
    limit_bytes,
    async beside(tx, actor, { id }, { fields, now }) {
      const own = (await ownFields(tx, id))!;
      const touched = touchedParts(disclosuresForm, fields, own) as DisclosureType[];
      const outdated = outdatedParts(disclosuresForm, fields, own);
      if (touched.some((type) => outdated.includes(type))) throw new Refused('revision_conflict');
      if (touched.length === 0) return;
      const given = touched.flatMap((type) => disclosureIn(type, fields) ?? []);
      const set = given.map((one) => disclosureInput.parse(one)) as EditData['set'];
      const remove = touched.filter((type) => disclosureIn(type, fields) === null);
      await editDisclosures(tx, actor, id, { set, remove, lock_status: null, now });
    },
  });
}
