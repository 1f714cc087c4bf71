import type { Settings } from '#db/platform/runtime/env.ts';

/** The settings from which the legal pages get the operator's details. */
export const operatorDetails = [
  'OPERATOR_NAME',
  'OPERATOR_ADDRESS',
  'OPERATOR_CONTACT',
  'OPERATOR_COUNTRY',
  'LEGAL_DATE',
] as const;
export type OperatorDetail = (typeof operatorDetails)[number];

/** The details that a legal text asks for; every page shows LEGAL_DATE. */
export const detailsIn = (text: string): OperatorDetail[] =>
  operatorDetails.filter((name) => name === 'LEGAL_DATE' || text.includes(name));

/** What is missing for complete legal pages; nothing on demo installations, which have no operator. */
export const missingDetails = (settings: Pick<Settings, OperatorDetail | 'SEED'>): OperatorDetail[] =>
  settings.SEED === 'demo' ? [] : operatorDetails.filter((name) => settings[name] === undefined);
