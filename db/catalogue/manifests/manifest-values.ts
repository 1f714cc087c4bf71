import { limits, versionNumberPattern } from '../versions/rules.ts';
import { type VersionRange, versionsIn } from './game-version-ranges.ts';
import type { FoundDependency, KnownGameVersion } from './manifest.ts';
import { isFields, type ManifestReader } from './manifest-text.ts';

/** Ids that name the game, a loader or Java: no projects. */
const platforms = new Set(
  'minecraft java fabricloader fabric-loader quilt_loader quilt_base forge neoforge fml mcp cauldron'.split(
    ' ',
  ),
);
/** Ids that are known under another name. */
const renamed: Record<string, string> = { fabric: 'fabric-api', quilted_fabric_api: 'qsl' };

export const nameOf = (reader: ManifestReader, value: unknown, entry: string): string | null =>
  reader.line(value, entry, 'name', limits.name);

/** A version number that the API accepts. Blanks become dashes; what the API would refuse is left out. */
export function versionNumberOf(reader: ManifestReader, value: unknown, entry: string): string | null {
  const number = reader.line(value, entry, 'version', 4 * limits.version_number)?.replaceAll(' ', '-');
  if (number === undefined) return null;
  if (number.length > limits.version_number) reader.add('too_long', entry, 'version');
  else if (versionNumberPattern.test(number)) return number;
  else reader.add('wrong_type', entry, 'version');
  return null;
}

/** A license, also as the only one of a list or as an object with its id; of several none is *the* license. */
export function licenseOf(reader: ManifestReader, value: unknown, entry: string): string | null {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const id = isFields(only) ? only.id : only;
  const text = typeof id === 'string' ? reader.line(id, entry, 'license', 128) : null;
  return text !== null && /^all rights reserved\.?$/i.test(text) ? 'LicenseRef-All-Rights-Reserved' : text;
}

/** The known versions inside the ranges; a problem when there are ranges but no such version. */
export function gameVersionsOf(
  reader: ManifestReader,
  entry: string,
  ranges: readonly VersionRange[] | null,
  known: readonly KnownGameVersion[],
): string[] {
  const found = ranges ? versionsIn(ranges, known) : [];
  const says = ranges?.some((range) => range.some((bounds) => bounds.length > 0));
  if (says && found.length === 0) reader.add('game_versions_unknown', entry, 'minecraft');
  return found;
}

/** Adds a dependency unless it names a platform; of two on the same project the first stays. */
export function addDependency(
  reader: ManifestReader,
  to: FoundDependency[],
  found: FoundDependency | null,
  entry: string,
): void {
  const id = found && reader.line(found.id, entry, 'dependencies', 255);
  if (!found || !id || platforms.has(id.toLowerCase()) || to.length === limits.dependencies) return;
  const name = Object.hasOwn(renamed, id) ? renamed[id]! : id;
  if (to.some((one) => one.id === name)) return;
  to.push({ id: name, dependency_type: found.dependency_type });
}

/** A file inside the file, by its path. */
export const embeddedName = (path: unknown): FoundDependency | null =>
  typeof path === 'string' && path !== ''
    ? { id: path.slice(path.lastIndexOf('/') + 1), dependency_type: 'embedded' }
    : null;
