import { createHash } from 'node:crypto';
import type { OwnFields } from '#db/catalogue/projects/own-fields.ts';
import type { Change } from '#db/catalogue/publishing/edit-project.ts';
import { type FieldValues, keptField, type ProjectForm } from './project-form.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 10);

/** The digests of all parts of a form as they are stored, for its field `base`. */
export function baseOf(form: ProjectForm, own: OwnFields): string {
  const parts = form.partsOf(form.fieldsOf(own), own);
  return JSON.stringify(
    Object.fromEntries(Object.entries(parts).map(([part, { text }]) => [part, digest(text)])),
  );
}

/** The parts that somebody changed since the page came; compared with what is stored where the form sends no `base`. */
export function touchedParts(form: ProjectForm, fields: FieldValues, own: OwnFields): string[] {
  const given = form.partsOf(fields, own);
  const stored = form.partsOf(form.fieldsOf(own), own);
  const base = digestsOf(fields.base);
  return Object.keys(given).filter((part) => {
    const before = base[part] ?? digest(stored[part]!.text);
    return digest(given[part]!.text) !== before && fields[keptField(part)] !== 'theirs';
  });
}

/** The parts that somebody else changed since the page came. */
export function outdatedParts(form: ProjectForm, fields: FieldValues, own: OwnFields): string[] {
  const base = digestsOf(fields.base);
  const stored = form.partsOf(form.fieldsOf(own), own);
  return Object.keys(stored).filter((part) => part in base && base[part] !== digest(stored[part]!.text));
}

/** The change that these parts ask for. */
export function changeOf(
  form: ProjectForm,
  { fields, own, parts }: { fields: FieldValues; own: OwnFields; parts: readonly string[] },
): Change {
  const given = form.partsOf(fields, own);
  const changes = parts.map((part) => given[part]!.change);
  const links = Object.assign({}, ...changes.map((change) => change.links)) as NonNullable<Change['links']>;
  const merged = Object.assign({}, ...changes) as Change;
  return Object.keys(links).length > 0 ? { ...merged, links } : merged;
}

function digestsOf(text: string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    return {}; // compared with what is stored
  }
}
