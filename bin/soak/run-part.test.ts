import { expect, it } from 'vitest';
import { soakParts } from './parts.ts';
import { sizeOf } from './run-part.ts';

const part = (name: string) => soakParts.find((one) => one.name === name)!;

it('gives a part the number that was asked for, and multiplies properties in any case', () => {
  expect(sizeOf(part('year'), 12)).toEqual({ SOAK_OPERATIONS: '12' });
  expect(sizeOf(part('year'), null)).toEqual({});
  expect(sizeOf(part('properties'), 2)).toEqual({ SOAK_TIMES: '2' });
  expect(sizeOf(part('properties'), null)).toEqual({ SOAK_TIMES: '20' });
});
