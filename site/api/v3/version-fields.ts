import { z } from 'zod';
import { environments } from '#db/catalogue/tags/rules.ts';
import { type LoaderField, loaderFieldsOf, mandatoryFieldsOf } from '#db/catalogue/versions/loader-fields.ts';
import { limits } from '#db/catalogue/versions/rules.ts';
import {
  type CreateData,
  createFields,
  type EditData,
  editShape,
  type InitialData,
  int,
  publishFields,
  tags,
  withoutAliases,
} from '#db/catalogue/versions/shape.ts';
import { boundedText, oneLineText } from '#db/platform/shape.ts';

/**
 * The data of versions as v3 sends it: beside the fixed fields the loader fields, flattened; a modpack has the loader
 * `mrpack` and the field `mrpack_loaders`. Converted to the data that the verbs take. Source: api-v3 §2.3, §3.2, §3.4.
 */
const fieldShapes = {
  game_versions: tags.nullish(),
  environment: z.enum(environments).nullish(),
  mrpack_loaders: z.array(boundedText(1, 64)).max(1024).nullish(),
};
const fixed = createFields.omit({ game_versions: true, environment: true }).extend(fieldShapes);

type Issue = (field: string, message: string) => void;

/** The names in `given` that are neither fixed nor a field of the chosen loaders, reported as unknown. */
function refuseUnknown(given: object, known: readonly string[], loaders: readonly string[], issue: Issue) {
  const fields: readonly string[] = loaderFieldsOf(loaders);
  for (const [name, value] of Object.entries(given)) {
    if (fields.includes(name) || known.includes(name)) continue;
    if (value === null && Object.hasOwn(fieldShapes, name)) continue;
    issue(name, `is not a field of the loaders ${loaders.join(', ')}`);
  }
}

/** Fixed fields as they are, checked loader fields, and the loaders that v2 would name. */
function converted<D extends z.output<typeof fixed>>(data: D, known: readonly string[], issue: Issue) {
  const { loaders, game_versions, environment, mrpack_loaders, ...rest } = data;
  const chosen = [...new Set(loaders)];
  refuseUnknown(data, known, chosen, issue);
  const given: Record<LoaderField, unknown> = { game_versions, environment, mrpack_loaders };
  for (const field of mandatoryFieldsOf(chosen))
    if (given[field] == null) issue(field, 'is needed for these loaders');
  const pack = chosen.includes('mrpack');
  if (pack && chosen.length > 1) issue('loaders', 'mrpack stands alone: name the others in mrpack_loaders');
  return {
    ...rest,
    loaders: pack ? (mrpack_loaders ?? []) : chosen,
    game_versions: game_versions ?? [],
    environment,
    pack,
  };
}

const issuesTo =
  (context: z.RefinementCtx): Issue =>
  (field, message) =>
    context.addIssue({ code: 'custom', path: [field], message });

const fixedNames = Object.keys(createFields.omit({ game_versions: true, environment: true }).shape);
const create = fixed.extend(publishFields);
const createNames = [...fixedNames, ...Object.keys(publishFields)];

/** The `data` part of POST /v3/version. */
export const createV3Shape = z.preprocess(
  withoutAliases,
  create
    .loose()
    .transform(
      (data, context): CreateData =>
        converted(data as z.output<typeof create>, createNames, issuesTo(context)),
    ),
);

const named = create.extend({ name: oneLineText(0, limits.name).nullish() });

/** The same for our own form, where a version need not be named. */
export const createUnnamedShape = z.preprocess(
  withoutAliases,
  named.loose().transform((data, context): CreateData => {
    const { name, ...rest } = data as z.output<typeof named>;
    return converted({ ...rest, name: name ?? '' }, createNames, issuesTo(context));
  }),
);

/** One of `initial_versions` of POST /v3/project: always listed; project_id, status and file_types are ignored. */
export const initialV3Shape = z.preprocess(
  withoutAliases,
  fixed.loose().transform((data, context): InitialData => {
    const { project_id: _, status: __, file_types: ___, ...rest } = data;
    return converted(rest as z.output<typeof fixed>, createNames, issuesTo(context));
  }),
);

const { loaders: _, game_versions: __, ...editFields } = editShape.shape;
const edit = z.object({
  ...editFields,
  ...fieldShapes,
  loaders: tags.nullish(),
  ordering: int.nullable().optional(),
});

/**
 * The body of PATCH /v3/version/{id}; absent and null both keep a field, but null clears `ordering`. Whether the loaders
 * of the version have the given fields is checked when it is changed.
 */
export const editV3Shape = edit
  .strict()
  .meta({ id: 'VersionEditV3' })
  .transform(({ loaders, ...fields }): EditData => ({ ...fields, stored_loaders: loaders }));
