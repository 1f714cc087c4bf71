import { licenses, whyNotLicense } from '#db/catalogue/tags/read.ts';

/** A license as the form of a project's settings asks for it. */
export interface LicenseChoice {
  /** An SPDX id without "or later", one of `ownLicenses`, or `custom`. */
  license: string;
  /** Whether later versions of it may be used too; only where it has the clause for it. */
  later: boolean;
  /** An SPDX expression, or the name of a license that has no id. */
  custom: string;
}

/** The license of a project for which none was chosen yet. */
export const no_license = 'LicenseRef-Unknown';

/** Licenses beside those of the SPDX list. */
const ownLicenses = [no_license, 'LicenseRef-All-Rights-Reserved'] as const;

const max_name = 100;

const ids = new Set(licenses().map(({ short }) => short));
const listed = licenses().filter(({ short }) => !/(-or-later|\+)$/.test(short) && !ids.has(`${short}-only`));

/** Those that most projects choose, the most frequent first. */
const common: readonly string[] = [
  'MIT',
  'GPL-3.0-only',
  'LGPL-3.0-only',
  'Apache-2.0',
  'AGPL-3.0-only',
  'MPL-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'CC-BY-NC-SA-4.0',
  'BSD-3-Clause',
];
const placeOf = ({ short }: { short: string }) =>
  (common.indexOf(short) + common.length + 1) % (common.length + 1);
const ordered = listed.toSorted((a, b) => placeOf(a) - placeOf(b));

/**
 * The licenses of the SPDX list, common ones first, without those that "or later" makes of others, and without old ids of the
 * GPL.
 */
export const listedLicenses = () => ordered;

/** Whether a license leaves it to the author to allow its later versions: those of the GPL family do. */
export const hasLaterClause = (id: string): boolean =>
  id.endsWith('-only') && ids.has(id.replace(/-only$/, '-or-later'));

const isListed = (id: string) =>
  (ownLicenses as readonly string[]).includes(id) || listed.some(({ short }) => short === id);

/** The choice that a stored license stands for. */
export function choiceOf(stored: string): LicenseChoice {
  if (isListed(stored)) return { license: stored, later: false, custom: '' };
  const base = stored.replace(/-or-later$/, '-only');
  if (base !== stored && isListed(base)) return { license: base, later: true, custom: '' };
  return { license: 'custom', later: false, custom: stored };
}

/** The license to store for a choice: a name without an id becomes one of our own. */
export function licenseOfChoice({ license, later, custom }: LicenseChoice): string {
  if (license === 'custom') {
    if (whyNotLicense(custom) === null) return custom;
    const name = custom.replace(/[^a-zA-Z0-9.]+/g, '-').replace(/^-+|(?<!-)-+$/g, '');
    return name === '' ? '' : `LicenseRef-${name.slice(0, max_name)}`;
  }
  return later && hasLaterClause(license) ? license.replace(/-only$/, '-or-later') : license;
}
