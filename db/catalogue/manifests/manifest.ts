import type { Environment } from '../tags/rules.ts';

/** A version of the game, as both APIs list it. */
export interface KnownGameVersion {
  version: string;
  version_type: string;
}

/** What a manifest says that the file needs, or does not work with, or contains. */
export interface FoundDependency {
  /** The id by which the loader knows the other project; of embedded ones the name of the file. */
  id: string;
  dependency_type: 'required' | 'optional' | 'incompatible' | 'embedded';
}

export const manifestProblems = {
  manifest_missing: 'no manifest of a known loader was found',
  manifest_in_folder: 'the pack lies in a folder inside the archive; its files must be at the top',
  entry_unreadable: 'the entry is damaged or too large',
  syntax: 'the text cannot be parsed',
  wrong_type: 'the value has the wrong type and was left out',
  placeholder: 'the value still is a placeholder of the build and was left out',
  characters_removed: 'control characters or direction marks were removed',
  too_long: 'the value is longer than allowed and was cut or left out',
  game_versions_unknown: 'no known game version matches',
  game_versions_later: 'it also names formats of later versions of the game, which are not known yet',
} as const;
export type ManifestProblemCode = keyof typeof manifestProblems;

export interface ManifestProblem {
  code: ManifestProblemCode;
  /** The entry of the archive, or its own name for problems of the whole archive. */
  entry: string;
  /** The field, when the problem is about one. */
  field: string | null;
}

/** What one manifest says; absent values are null or empty. Keys as in both APIs. */
export interface Manifest {
  /** The display name of the project. */
  name: string | null;
  version_number: string | null;
  loaders: string[];
  game_versions: string[];
  dependencies: FoundDependency[];
  /** Where it runs; null when the manifest leaves it open. */
  environment: Environment | null;
  /** As it is written there, mostly an SPDX identifier; not every text names a license. */
  license: string | null;
}

export const emptyManifest = (loaders: string[] = []): Manifest => ({
  name: null,
  version_number: null,
  loaders,
  game_versions: [],
  dependencies: [],
  environment: null,
  license: null,
});
