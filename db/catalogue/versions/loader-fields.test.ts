import { expect, test } from 'vitest';
import { loaders } from '../tags/rules.ts';
import { loaderFieldsOf, mandatoryFieldsOf, whyNotHaveFields } from './loader-fields.ts';

/** From api-v3 §2.3. */
const withEnvironment = [
  'fabric',
  'forge',
  'quilt',
  'neoforge',
  'modloader',
  'rift',
  'liteloader',
  'mrpack',
  'babric',
  'bta-babric',
  'java-agent',
  'legacy-fabric',
  'nilloader',
  'ornithe',
  'vanilla',
];

test.each(loaders.map(({ name }) => name))('the fields of %s', (name) => {
  const environment = withEnvironment.includes(name) ? ['environment'] : [];
  expect(mandatoryFieldsOf([name])).toEqual(['game_versions', ...environment]);
  const pack = name === 'mrpack' ? ['mrpack_loaders'] : [];
  expect(loaderFieldsOf([name])).toEqual(['game_versions', ...environment, ...pack]);
});

test.each([
  [['paper'], ['environment'], 'loader_field_unknown'],
  [['paper', 'fabric'], ['environment'], null],
  [['fabric'], ['mrpack_loaders'], 'loader_field_unknown'],
  [['mrpack'], ['mrpack_loaders', 'game_versions', 'environment'], null],
  [['fabric'], ['constructor'], 'loader_field_unknown'],
  [[], ['game_versions'], null],
])('versions for %j with the fields %j: %s', (chosen, fields, expected) => {
  expect(whyNotHaveFields(chosen, fields)).toBe(expected);
});
