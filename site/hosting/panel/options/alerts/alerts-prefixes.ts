import { optionsPrefixes } from '../options-prefixes.ts';

/** What the page of a server's alerts says: the panel around it, and its own texts. */
export const alertsPrefixes = [
  ...optionsPrefixes,
  'server_alerts.',
  'server_figures.percent',
  'server_figures.ms',
  'webhooks.problem_',
] as const;
