import { expect, test } from 'vitest';
import { detailsIn, missingDetails, operatorDetails } from './operator-details.ts';

const complete = {
  OPERATOR_NAME: 'Stonewrights',
  OPERATOR_ADDRESS: 'Path 1, Hill',
  OPERATOR_CONTACT: 'mailto:hello@stones.example',
  OPERATOR_COUNTRY: 'Germany',
  LEGAL_DATE: '2026-10-01',
  SEED: 'none',
} as const;

test('missing details are named, except on a demo', () => {
  expect(missingDetails(complete)).toEqual([]);
  expect(missingDetails({ ...complete, OPERATOR_CONTACT: undefined, LEGAL_DATE: undefined })).toEqual([
    'OPERATOR_CONTACT',
    'LEGAL_DATE',
  ]);
  const { SEED, ...details } = complete;
  const none = Object.fromEntries(
    Object.keys(details).map((name) => [name, undefined]),
  ) as never as typeof complete;
  expect(missingDetails({ ...none, SEED })).toEqual(operatorDetails);
  expect(missingDetails({ ...none, SEED: 'demo' })).toEqual([]);
});

test('a text asks for the details that it names', () => {
  expect(detailsIn('By {{OPERATOR_NAME}}')).toEqual(['OPERATOR_NAME', 'LEGAL_DATE']);
});
