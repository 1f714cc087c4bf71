import type { MessageKey } from '#content/keys.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import { scopeField } from './scope-fields.ts';

/** What tools that publish versions from a build need, and no more. */
const publishing: readonly Scope[] = ['PROJECT_READ', 'VERSION_READ', 'VERSION_CREATE', 'VERSION_WRITE'];

const reads = (scope: Scope): boolean => /_READ(_EMAIL)?$|^ANALYTICS$/.test(scope);

/** The usual sets of scopes, of those that are offered: names of their check boxes. None has the scope of staff. */
export const scopePresets = (
  offered: readonly Scope[],
): ReadonlyArray<{ name: MessageKey; fields: readonly string[] }> => [
  { name: 'scopes.preset_publish', fields: fieldsOf(offered, (scope) => publishing.includes(scope)) },
  { name: 'scopes.preset_read', fields: fieldsOf(offered, reads) },
  { name: 'scopes.preset_all', fields: fieldsOf(offered, (scope) => scope !== 'STAFF') },
  { name: 'scopes.preset_none', fields: [] },
];

const fieldsOf = (offered: readonly Scope[], takes: (scope: Scope) => boolean): string[] =>
  offered.filter(takes).map(scopeField);
