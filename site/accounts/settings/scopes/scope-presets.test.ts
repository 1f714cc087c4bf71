import { expect, test } from 'vitest';
import { tokenScopes } from '#db/platform/people/scopes/rules.ts';
import { scopePresets } from './scope-presets.ts';

const fieldsOf = (name: string) => scopePresets(tokenScopes).find((preset) => preset.name === name)!.fields;

test('presets publish, read, or do everything but what staff does', () => {
  expect(fieldsOf('scopes.preset_publish')).toContain('scope_VERSION_CREATE');
  expect(fieldsOf('scopes.preset_read').filter((field) => /WRITE|CREATE|DELETE/.test(field))).toEqual([]);
  expect(fieldsOf('scopes.preset_all')).toHaveLength(tokenScopes.length - 1);
  expect(fieldsOf('scopes.preset_all')).not.toContain('scope_STAFF');
  expect(fieldsOf('scopes.preset_none')).toEqual([]);
});

test('a preset checks nothing that is not offered', () => {
  expect(scopePresets(['VERSION_CREATE']).map(({ fields }) => fields.length)).toEqual([1, 0, 1, 0]);
});
