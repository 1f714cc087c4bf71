import { expect, it } from 'vitest';
import { versionName } from './version-name.ts';

const shown = (name: string, version_number = '2.7.2') =>
  versionName({ name, version_number }, 'Lanternroot');

it('shows a name of its own', () => {
  expect(shown('Root cellar')).toBe('Root cellar');
  expect(shown('2.7.2, the long one')).toBe('2.7.2, the long one');
  expect(shown('Lanternroot for Fabric 2.7.2')).toBe('Lanternroot for Fabric 2.7.2');
});

it('hides a name that only repeats the number or the title', () => {
  for (const name of ['2.7.2', 'v2.7.2', 'Lanternroot 2.7.2', 'lanternroot-v2.7.2', 'Version 2.7.2', ' '])
    expect([name, shown(name)]).toEqual([name, null]);
  expect(shown('Lanternroot 1.0.0+1.21.4', '1.0.0+1.21.4')).toBeNull();
});
