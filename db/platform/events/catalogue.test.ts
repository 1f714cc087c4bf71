import { expect, it } from 'vitest';
import { definitionOf, eventNames } from './catalogue.ts';

it('names every event after its noun', () => {
  expect(eventNames.filter((name) => !/^[a-z]+\.[a-z_]+$/.test(name))).toEqual([]);
});

it('affects a page, a search document or a user with every audited event of the catalogue', () => {
  const silent = eventNames.filter((name) => {
    const { pages, search, affects } = definitionOf(name);
    return !pages && search === 'none' && affects.length === 0;
  });
  expect(silent).toEqual([]);
});

it('accepts only data that matches its declared shape', () => {
  const { data } = definitionOf('project.moved');
  expect(data.safeParse({ from: 'draft', to: 'approved' }).success).toBe(true);
  expect(data.safeParse({ from: 'draft' }).success).toBe(false);
  expect(data.safeParse({ from: 'draft', to: 'approved', more: 1 }).success).toBe(false);
  expect(definitionOf('team.changed').data.parse(undefined)).toEqual({});
});
