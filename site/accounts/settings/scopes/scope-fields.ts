import { type Scope, tokenScopes } from '#db/platform/people/scopes/rules.ts';

/** The check boxes of scopes in a form: each has a name of its own, because forms keep one value for each name. */
export const scopeField = (scope: Scope): string => `scope_${scope}`;

export const scopeFields: readonly string[] = tokenScopes.map(scopeField);

/** The scopes whose boxes were checked. */
export const scopesOfFields = (fields: Readonly<Record<string, unknown>>): Set<Scope> =>
  new Set(tokenScopes.filter((scope) => typeof fields[scopeField(scope)] === 'string'));

/** Scopes as the fields of a form. */
export const fieldsOfScopes = (scopes: Iterable<Scope>): Record<string, string> =>
  Object.fromEntries([...scopes].map((scope) => [scopeField(scope), 'on']));
