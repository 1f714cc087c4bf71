import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import {
  dependencyTypes,
  limits,
  settableStatuses,
  usualName,
  versionNumberPattern,
  versionTypes,
} from '#db/catalogue/versions/rules.ts';
import { type FileType, usualFileType } from '#db/platform/files/rules.ts';

export { dependencyTypes, limits, settableStatuses, usualName, versionTypes };

export type DependencyType = (typeof dependencyTypes)[number];

/** A project that a version needs, or one version of it. */
export interface ChosenDependency {
  project_id: string | null;
  version_id: string | null;
  /** Only of dependencies that older versions name by a file. */
  file_name: string | null;
  title: string;
  /** Of the exact version, as far as it is known. */
  version_number: string | null;
  dependency_type: DependencyType;
}

/** What the form says about a version. Keys as in the API, but for the release. */
export interface VersionFields {
  name: string;
  version_number: string;
  version_type: (typeof versionTypes)[number];
  /** As people see them: a modpack has those it is for. */
  loaders: readonly string[];
  game_versions: readonly string[];
  /** Empty until it is chosen. */
  environment: string;
  changelog: string;
  dependencies: readonly ChosenDependency[];
  featured: boolean;
  /** Its place in lists and updates: a whole number as the field gives it, empty for none. Source: api-v3 §3.4. */
  ordering: string;
  status: (typeof settableStatuses)[number] | 'scheduled';
  /** When it is released, for `scheduled`: local date and time as the field gives them. */
  release_at: string;
}
export type Field = keyof VersionFields;
/** Where a problem is shown: beside a field, beside the files, or above the button. */
export type ProblemPlace = Field | 'files' | 'form';

/** A file of the user that becomes part of a version. */
export interface PickedFile {
  key: string;
  filename: string;
  size: number;
  state: 'reading' | 'published' | 'refused' | 'queued' | 'sending' | 'waiting' | 'paused' | 'sent';
  /** Bytes hashed or sent. */
  done_bytes: number;
  /** While it is sent, as far as it is known. */
  bytes_per_second: number | null;
  file_type: FileType | null;
  reading: ManifestReading | null;
  /** What a version names it by, when it is sent. */
  upload_id: string | null;
  /** The version that has it already, as far as the user may see it. */
  published: { title: string; version_number: string; path: string; is_own: boolean } | null;
  /** Why it is refused. */
  problem: string;
}

/** A version that is being written. The first of its files without a type is the primary one. */
export interface Draft {
  key: string;
  files: readonly PickedFile[];
  fields: VersionFields;
  /** What the user changed: manifests no longer fill it. */
  touched: ReadonlySet<Field>;
}

export const emptyFields: VersionFields = {
  name: '',
  version_number: '',
  version_type: 'release',
  loaders: [],
  game_versions: [],
  environment: '',
  changelog: '',
  dependencies: [],
  featured: false,
  ordering: '',
  status: 'listed',
  release_at: '',
};

/** Files that can be part of a version: not refused, and not published elsewhere. */
export const usableFiles = ({ files }: Pick<Draft, 'files'>): readonly PickedFile[] =>
  files.filter(({ state }) => state !== 'refused' && state !== 'published');

export const primaryFileOf = (draft: Pick<Draft, 'files'>): PickedFile | undefined => {
  const files = usableFiles(draft);
  return files.find(({ file_type }) => file_type === null) ?? files[0];
};

/** Whether a modpack is being written: its loaders are those of the pack. */
export const isPack = (draft: Pick<Draft, 'files'>): boolean =>
  primaryFileOf(draft)?.filename.toLowerCase().endsWith('.mrpack') ?? false;

/** Whether it could be a version of its own: a manifest says what it is. */
const canStandAlone = ({ filename, reading }: PickedFile): boolean =>
  usualFileType(filename) === null && reading !== null && reading.loaders.length > 0;

/** The files that could each be a version, when there are several. */
export const separable = (files: readonly PickedFile[]): readonly PickedFile[] => {
  const alone = files.filter((file) => canStandAlone(file));
  return alone.length > 1 ? alone : [];
};

/** The fields with what the manifest says where the user wrote nothing. */
export function withReading(
  { fields, touched }: Pick<Draft, 'fields' | 'touched'>,
  reading: ManifestReading | null,
): VersionFields {
  if (!reading) return fields;
  const number = touched.has('version_number')
    ? fields.version_number
    : (reading.version_number ?? fields.version_number);
  const title = reading.name && number ? `${reading.name} ${number}` : (reading.name ?? number);
  const found: Partial<VersionFields> = {
    version_number: number,
    name: [...title].slice(0, limits.name).join('').trim(),
    version_type: reading.version_type,
    loaders: reading.loaders,
    game_versions: reading.game_versions,
    environment: reading.environment ?? '',
  };
  const isNew = ([field, value]: [string, unknown]) =>
    !touched.has(field as Field) && (value as string | readonly string[]).length > 0;
  return { ...fields, ...Object.fromEntries(Object.entries(found).filter(isNew)) };
}

/** Keys of the texts of what is missing or wrong. */
export type DraftProblem =
  | 'publish.need_number'
  | 'publish.wrong_number'
  | 'publish.need_loaders'
  | 'publish.need_game_versions'
  | 'publish.need_environment'
  | 'publish.long_changelog'
  | 'publish.wrong_ordering'
  | 'publish.need_release_at'
  | 'publish.past_release_at'
  | 'publish.need_file';

/** What the server would refuse, beside the fields. Same rules: `db/catalogue/versions/rules.ts` and `shape.ts`. */
export function problemsOf(
  fields: VersionFields,
  { has_files, needs_environment, now }: { has_files: boolean; needs_environment: boolean; now: Date },
): Partial<Record<ProblemPlace, DraftProblem>> {
  const problems: Partial<Record<ProblemPlace, DraftProblem>> = {};
  const number = fields.version_number;
  if (!has_files) problems.files = 'publish.need_file';
  if (number === '') problems.version_number = 'publish.need_number';
  else if (number.length > limits.version_number || !versionNumberPattern.test(number))
    problems.version_number = 'publish.wrong_number';
  if (fields.loaders.length === 0) problems.loaders = 'publish.need_loaders';
  if (fields.game_versions.length === 0) problems.game_versions = 'publish.need_game_versions';
  if (needs_environment && fields.environment === '') problems.environment = 'publish.need_environment';
  if ([...fields.changelog].length > limits.changelog) problems.changelog = 'publish.long_changelog';
  if (!isOrdering(fields.ordering)) problems.ordering = 'publish.wrong_ordering';
  if (fields.status === 'scheduled') {
    if (fields.release_at === '') problems.release_at = 'publish.need_release_at';
    else if (new Date(fields.release_at) <= now) problems.release_at = 'publish.past_release_at';
  }
  return problems;
}

/** Whether it is empty or a whole number that a version can have. */
function isOrdering(text: string): boolean {
  const value = orderingOf(text);
  return value === null || (Number.isInteger(value) && Math.abs(value) <= limits.ordering);
}

/** The number that was typed; null for none, NaN for what is no number. */
const orderingOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

const placeOfCode: Record<string, ProblemPlace> = {
  version_number_used: 'version_number',
  loader_unknown: 'loaders',
  loader_field_unknown: 'loaders',
  loader_extension_wrong: 'loaders',
  loader_entry_missing: 'loaders',
  game_version_unknown: 'game_versions',
  dependency_empty: 'dependencies',
  dependency_repeated: 'dependencies',
  dependency_unknown: 'dependencies',
  schedule_past: 'release_at',
};

/** Where a refusal of the server is shown. `invalid_input` names its field at the beginning of its text. */
export function placeOf({ code, description }: { code: string; description: string }): ProblemPlace {
  const known = Object.hasOwn(placeOfCode, code) ? placeOfCode[code] : undefined;
  if (known) return known;
  const field =
    /(?:^|[\s:])(name|version_number|loaders|mrpack_loaders|game_versions|environment|changelog|dependencies|ordering)\b[\d.]{0,40}[^:\s]{0,200}:/.exec(
      code === 'invalid_input' ? description : '',
    )?.[1];
  if (field) return field === 'mrpack_loaders' ? 'loaders' : (field as Field);
  return /^(file|archive|mrpack|part|primary|signature|no_files|modpack|upload)_?/.test(code)
    ? 'files'
    : 'form';
}

/** The loader fields as v3 takes them. */
const loaderFields = (fields: VersionFields, pack: boolean, has_environment: boolean) => ({
  loaders: pack ? ['mrpack'] : fields.loaders,
  ...(pack ? { mrpack_loaders: fields.loaders } : {}),
  game_versions: fields.game_versions,
  ...(has_environment && fields.environment ? { environment: fields.environment } : {}),
});

const sentDependencies = (list: readonly ChosenDependency[]) =>
  list.map(({ project_id, version_id, file_name, dependency_type }) => ({
    project_id,
    version_id,
    file_name,
    dependency_type,
  }));

/** The body that publishes a draft whose files are all sent. A scheduled one begins as a draft. */
export function publishBody(draft: Draft, project_id: string, has_environment: boolean) {
  const { fields } = draft;
  const files = usableFiles(draft);
  const primary = primaryFileOf(draft)!;
  return {
    project_id,
    // without one the server makes it up
    ...(fields.name.trim() === '' ? {} : { name: fields.name.trim() }),
    version_number: fields.version_number,
    version_type: fields.version_type,
    ...loaderFields(fields, isPack(draft), has_environment),
    changelog: fields.changelog,
    dependencies: sentDependencies(fields.dependencies),
    featured: fields.featured,
    ordering: orderingOf(fields.ordering),
    status: fields.status === 'scheduled' ? 'draft' : fields.status,
    file_parts: files.map(({ upload_id }) => upload_id),
    primary_file: primary.upload_id,
    file_types: Object.fromEntries(
      files.filter(({ file_type }) => file_type !== null).map((file) => [file.upload_id, file.file_type]),
    ),
  };
}

/** The changed fields of an edited version of the project `title`, as v3 takes them; unchanged ones stay as others may have changed them. */
export function editBody(
  before: VersionFields,
  fields: VersionFields,
  { title, pack, has_environment }: { title: string; pack: boolean; has_environment: boolean },
): Record<string, unknown> {
  const isSame = (field: Field) => JSON.stringify(before[field]) === JSON.stringify(fields[field]);
  const all: Record<string, unknown> = {
    ...{ name: fields.name.trim() || usualName(title, fields.version_number) },
    version_number: fields.version_number,
    ...{ version_type: fields.version_type, changelog: fields.changelog, featured: fields.featured },
    ordering: orderingOf(fields.ordering),
    dependencies: sentDependencies(fields.dependencies),
    game_versions: fields.game_versions,
    ...(pack ? { mrpack_loaders: fields.loaders } : { loaders: fields.loaders }),
    ...(has_environment ? { environment: fields.environment || 'unknown' } : {}),
    ...(fields.status === 'scheduled' ? {} : { status: fields.status }),
  };
  const fieldOf = (key: string) => (key === 'mrpack_loaders' ? 'loaders' : key) as Field;
  return Object.fromEntries(Object.entries(all).filter(([key]) => !isSame(fieldOf(key))));
}
