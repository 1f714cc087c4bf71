import type { RefusalCode } from '../errors.ts';

/** Extension of a version file -> content type. Source: api-v2 §1.7. */
export const fileExtensions = {
  jar: 'application/java-archive',
  zip: 'application/zip',
  litemod: 'application/zip',
  mrpack: 'application/x-modrinth-modpack+zip',
  asc: 'application/pgp-signature',
  gpg: 'application/pgp-signature',
  sig: 'application/pgp-signature',
} as const;
export type FileExtension = keyof typeof fileExtensions;

/** Extension of an image -> content type. Source: api-v2 §1.7. */
export const imageExtensions = {
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
} as const;
export type ImageExtension = keyof typeof imageExtensions;

/** Source: api-v2 §1.7. */
export const fileTypes = [
  'required-resource-pack',
  'optional-resource-pack',
  'sources-jar',
  'dev-jar',
  'javadoc-jar',
  'signature',
  'unknown',
] as const;
export type FileType = (typeof fileTypes)[number];

/** Maximum size of each kind of image in bytes. Source: api-v2 §1.8. */
export const imageBytes = { icon: 262_144, gallery: 5 * 1024 * 1024 } as const;

const signatures = ['asc', 'gpg', 'sig'];
/** Extensions that must be readable zip archives for every loader. Source: decisions §1.3. */
export const archives = ['jar', 'zip', 'litemod', 'mrpack'];

/** The type of a further file by its name: endings that build tools give; null for all others. */
export function usualFileType(filename: string): FileType | null {
  if (signatures.includes(extensionOf(filename))) return 'signature';
  const [, kind] = /-(sources|dev|javadoc)\.jar$/.exec(filename) ?? [];
  return kind ? (`${kind}-jar` as FileType) : null;
}

const reserved = /^(con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$)$/i;

/** Text after the last dot, in lower case; empty without a dot. */
export const extensionOf = (filename: string): string => {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? '' : filename.slice(dot + 1).toLowerCase();
};

const isFileExtension = (text: string): text is FileExtension => Object.hasOwn(fileExtensions, text);
export const isImageExtension = (text: string): text is ImageExtension =>
  Object.hasOwn(imageExtensions, text);

/** Whether Windows reserves `name` for a device, with or without an extension. */
const isReserved = (name: string): boolean => reserved.test(name.split('.')[0]!.trimEnd());

/**
 * Whether `name` is a plain file name on every system. Bidi control characters are refused: with them `gnp.exe` can be
 * displayed as `exe.png`. Source: api-v3 §9.1.
 */
export const isPlainName = (name: string): boolean =>
  name.length > 0 &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  !/[/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(name) &&
  name !== '.' &&
  name !== '..' &&
  !/^[A-Za-z]:/.test(name) &&
  !isReserved(name) &&
  new TextEncoder().encode(name).length <= 255;

/** Why a version file may not have this name: `file_name_invalid`, `file_type_unsupported` or null. */
export function whyNotName(filename: string): RefusalCode | null {
  if (!isPlainName(filename)) return 'file_name_invalid';
  return isFileExtension(extensionOf(filename)) ? null : 'file_type_unsupported';
}

/** Why a file of this name may not have `file_type`; only signatures have a requirement. Source: api-v3 §9.1. */
export const whyNotType = (filename: string, file_type: string | null): RefusalCode | null =>
  file_type === 'signature' && !signatures.includes(extensionOf(filename)) ? 'signature_type_invalid' : null;
