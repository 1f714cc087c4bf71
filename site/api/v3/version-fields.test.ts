import { describe, expect, it } from 'vitest';
import { createV3Shape, editV3Shape, initialV3Shape } from './version-fields.ts';

const create = {
  project_id: 'AABBCCDD',
  file_parts: ['file'],
  version_number: '1.0.0',
  name: 'First',
  dependencies: [],
  version_type: 'release',
  loaders: ['fabric'],
  featured: false,
  game_versions: ['1.20.1'],
  environment: 'client_only',
};
const problems = (shape: typeof createV3Shape | typeof initialV3Shape, value: unknown) =>
  shape.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('the data of a v3 version', () => {
  it('becomes the data of v2, older names included', () => {
    expect(createV3Shape.parse(create)).toMatchObject({ ...create, pack: false });
    const { name, version_type, ...rest } = create;
    const older = { ...rest, version_title: name, release_channel: version_type, version_body: 'Text' };
    expect(createV3Shape.parse(older)).toMatchObject({ name, version_type, changelog: 'Text' });
  });

  it('names the loaders of a modpack in mrpack_loaders', () => {
    const pack = { ...create, loaders: ['mrpack'], mrpack_loaders: ['quilt'] };
    expect(createV3Shape.parse(pack)).toMatchObject({ loaders: ['quilt'], pack: true });
    expect(createV3Shape.parse({ ...create, loaders: ['mrpack'] })).toMatchObject({
      loaders: [],
      pack: true,
    });
    expect(problems(createV3Shape, { ...pack, loaders: ['mrpack', 'fabric'] })[0]).toMatch(
      /^loaders: mrpack/,
    );
  });

  it.each<[string, object, string[]]>([
    ['an unknown field', { flavour: 'sweet' }, ['flavour: is not a field of the loaders fabric']],
    ['a field of other loaders', { mrpack_loaders: ['fabric'] }, ['mrpack_loaders: is not a field']],
    ['no environment', { environment: undefined }, ['environment: is needed']],
    ['null for a mandatory field', { environment: null }, ['environment: is needed']],
    ['no game versions', { game_versions: undefined }, ['game_versions: is needed']],
    ['an empty list of game versions', { game_versions: [] }, ['game_versions: ']],
    ['an unknown environment', { environment: 'moon' }, ['environment: Invalid option']],
    [
      'an environment of plugins',
      { loaders: ['paper'] },
      ['environment: is not a field of the loaders paper'],
    ],
    ['a side of v2', { client_side: 'required' }, ['client_side: is not a field']],
    ['no loaders', { loaders: [] }, ['loaders: ']],
  ])('is refused with %s', (_, change, expected) => {
    const found = problems(createV3Shape, { ...create, ...change });
    expect(found).toHaveLength(expected.length);
    for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
  });

  it('has no environment for plugins', () => {
    const { environment: _, ...plugin } = { ...create, loaders: ['paper'] };
    expect(createV3Shape.parse(plugin)).toMatchObject({ loaders: ['paper'] });
  });

  it('of an initial version ignores what only other versions state', () => {
    const data = initialV3Shape.parse({ ...create, status: 'draft', file_types: { file: 'signature' } });
    expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['status']));
    expect('project_id' in data || 'file_types' in data).toBe(false);
    expect(problems(initialV3Shape, { ...create, flavour: 1 })).toHaveLength(1);
  });
});

describe('the change of a v3 version', () => {
  it('names loaders as they are stored, and clears the ordering with null', () => {
    expect(editV3Shape.parse({ loaders: ['mrpack'], mrpack_loaders: ['forge'], ordering: null })).toEqual({
      stored_loaders: ['mrpack'],
      mrpack_loaders: ['forge'],
      ordering: null,
    });
    expect(editV3Shape.parse({})).toEqual({});
  });
  it.each([{ flavour: 1 }, { client_side: 'required' }, { ordering: 'first' }, { environment: 'moon' }, []])(
    'refuses %j',
    (body) => {
      expect(editV3Shape.safeParse(body).success).toBe(false);
    },
  );
});
