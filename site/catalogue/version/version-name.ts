import type { Version } from '#db/catalogue/versions/shape.ts';

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * The name that a version shows beside its number; null when it only repeats the number, alone or with the project's
 * title, as publishing tools write it.
 */
export function versionName(
  { name, version_number }: Pick<Version, 'name' | 'version_number'>,
  title: string,
): string | null {
  const number = plain(version_number);
  const repeated = ['', 'v', 'version'].flatMap((word) => [word + number, plain(title) + word + number]);
  return name.trim() === '' || repeated.includes(plain(name)) ? null : name;
}
