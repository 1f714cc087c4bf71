import { describe, expect, it } from 'vitest';
import { allOrganizationPermissions, allPermissions } from '#db/catalogue/teams/rules.ts';
import { bitsOfFields, fieldsOfBits, type RightSet, rightFields, rightPresets, rightsOf } from './rights.ts';

const all: Record<RightSet, number> = {
  permissions: allPermissions,
  organization_permissions: allOrganizationPermissions,
};

describe.each(Object.entries(all) as Array<[RightSet, number]>)('boxes of %s', (set, every) => {
  it('give back each bit alone, all and none', () => {
    for (let bit = 1; bit <= every; bit *= 2) expect(bitsOfFields(set, fieldsOfBits(set, bit))).toBe(bit);
    expect(bitsOfFields(set, fieldsOfBits(set, every))).toBe(every);
    expect(bitsOfFields(set, fieldsOfBits(set, 0))).toBe(0);
  });

  it('say nothing in a form without them', () => {
    expect(bitsOfFields(set, {})).toBeUndefined();
    const { [set]: _, ...boxes } = fieldsOfBits(set, every);
    expect(bitsOfFields(set, boxes)).toBeUndefined();
  });

  it('are all named', () => {
    for (const field of Object.keys(fieldsOfBits(set, every))) expect(rightFields).toContain(field);
  });
});

it('the two sets share no field', () => {
  expect(new Set(rightFields).size).toBe(rightFields.length);
});

it('presets check boxes that there are, and one of them all', () => {
  for (const set of ['permissions', 'organization_permissions'] as const) {
    const known = rightsOf[set].map(({ field }) => field);
    const chosen = rightPresets(set).map(({ fields }) => fields);
    expect(chosen.flat().filter((field) => !known.includes(field))).toEqual([]);
    expect(chosen).toContainEqual(known);
  }
});
