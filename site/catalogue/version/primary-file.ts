import type { Version } from '#db/catalogue/versions/shape.ts';

type File = Version['files'][number];

/** The primary file, else the first; null for a version without files. Source: specification §3. */
export const primaryFile = ({ files }: Pick<Version, 'files'>): File | null =>
  files.find(({ primary }) => primary) ?? files[0] ?? null;

/**
 * The version behind a project's download button: the newest release, else the newest of all; `versions` newest first.
 */
export const newestOf = (versions: readonly Version[]): Version | null =>
  versions.find(({ version_type }) => version_type === 'release') ?? versions[0] ?? null;
