import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import parseExpression from 'spdx-expression-parse';
import licenseList from 'spdx-license-list';
import type { RefusalCode } from '../../platform/errors.ts';

const require = createRequire(import.meta.url);

/** Licences without a text in the SPDX list. */
const allRightsReserved = 'LicenseRef-All-Rights-Reserved';
const max_length = 512;

interface Leaf {
  license: string;
  plus?: true;
}
type Parsed = Leaf | { left: Parsed; conjunction: 'and' | 'or'; right: Parsed };

export interface License {
  short: string;
  name: string;
}

const ordered: License[] = Object.entries(licenseList)
  .map(([short, { name }]) => ({ short, name }))
  .sort((a, b) => (a.short < b.short ? -1 : 1));

/** Every SPDX licence, by id. Source: api-v2 §11; spdx-license-list. */
export const licenses = (): readonly License[] => ordered;

/** Accepted aliases of ids: `arr`. Source: api-v2 §4.2. */
export const licenseIdOf = (text: string): string =>
  text.toLowerCase() === 'arr' ? allRightsReserved : text;

function leavesOf(expression: string): string[] | null {
  if (expression.length > max_length) return null;
  try {
    return flat(parseExpression(licenseIdOf(expression)) as Parsed);
  } catch {
    return null; // the parser reports invalid input only by throwing
  }
}

const flat = (node: Parsed): string[] =>
  'left' in node ? [...flat(node.left), ...flat(node.right)] : [node.license];

/** Why `expression` cannot be a project's licence (not an SPDX expression), or null. Source: api-v2 §4.1. */
export const whyNotLicense = (expression: string): RefusalCode | null =>
  leavesOf(expression) ? null : 'license_unknown';

const nameOf = (id: string): string =>
  licenseList[id]?.name ?? id.replace(/^(DocumentRef-[^:]*:)?LicenseRef-/, '').replaceAll('-', ' ');

/** The names of an expression's licences, comma separated; empty when it does not parse. Source: api-v2 §2.1. */
export const licenseName = (expression: string): string =>
  (leavesOf(expression) ?? []).map(nameOf).join(', ');

/**
 * The licences of an expression for which `licenseText` has a text, without duplicates; none when it does not parse.
 */
export const licensesWithText = (expression: string): string[] =>
  [...new Set(leavesOf(expression) ?? [])].filter(
    (id) => id === allRightsReserved || Object.hasOwn(licenseList, id),
  );

/** Whether the first licence of the expression is approved by the OSI. Source: api-v2 §3.1 (`open_source`). */
export const isOsiApproved = (expression: string): boolean =>
  licenseList[leavesOf(expression)?.[0] ?? '']?.osiApproved ?? false;

/** The first licence of the expression, for search hits; the text itself when it does not parse. */
export const firstLicense = (expression: string): string => leavesOf(expression)?.[0] ?? expression;

/** Name and full text of one licence, read on demand; null when the id is unknown. Source: api-v2 §11. */
export function licenseText(text: string): { title: string; body: string } | null {
  const id = licenseIdOf(text);
  if (id === allRightsReserved) return { title: 'All Rights Reserved', body: reserved };
  if (!Object.hasOwn(licenseList, id)) return null;
  const path = require.resolve(`spdx-license-list/licenses/${id}.json`);
  const { name, licenseText } = JSON.parse(readFileSync(path, 'utf8')) as {
    name: string;
    licenseText: string;
  };
  return { title: name, body: licenseText };
}

const reserved =
  'All rights are reserved by the authors of this project. Unless they allow it elsewhere, its files may be used as ' +
  'this site offers them, and may not be copied to other places, changed or passed on.';
