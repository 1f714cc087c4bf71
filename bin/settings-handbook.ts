import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentSentences } from '#agents/setting-sentences.ts';
import { agentVariables } from '#agents/settings.ts';
import { catalogueSettings } from '#db/platform/runtime/settings/catalogue.ts';
import { dataSettings, searchSettings } from '#db/platform/runtime/settings/data.ts';
import { hostingSettings } from '#db/platform/runtime/settings/hosting.ts';
import { mailSettings } from '#db/platform/runtime/settings/mail.ts';
import { networkSettings } from '#db/platform/runtime/settings/network.ts';
import { operationSettings } from '#db/platform/runtime/settings/operation.ts';
import { payoutSettings } from '#db/platform/runtime/settings/payouts.ts';
import { sellingSettings } from '#db/platform/runtime/settings/selling.ts';
import { type Sentence, sentences } from '#db/platform/runtime/settings/sentences.ts';
import type { Setting } from '#db/platform/runtime/settings/shapes.ts';
import { accountSettings, providerSettings } from '#db/platform/runtime/settings/sign-in.ts';
import { appSettings, siteSettings } from '#db/platform/runtime/settings/site.ts';
import { settingsTable } from '#db/platform/runtime/settings/table.ts';
import { root } from './install.mjs';

/**
 * Writes what the operators’ handbook says about settings from their table: `node bin/settings-handbook.ts`. The pages are
 * committed; `bin/settings-handbook.test.ts` fails when they differ.
 */

/** Those of agents have no shape. */
type Row = Partial<Setting>;
type Rows = Readonly<Record<string, Row>>;

const configuration = 'content/docs/operators/configuration.md';
const nodes = 'content/docs/operators/nodes.md';
const security = 'content/docs/operators/security.md';

/** The pages that are written in part, and the table below each heading. */
const tables: Readonly<Record<string, Readonly<Record<string, Rows>>>> = {
  [configuration]: {
    'Address and network': networkSettings,
    Data: dataSettings,
    Search: searchSettings,
    'Mail and notices to staff': mailSettings,
    'Sign-in with other services': providerSettings,
    Accounts: accountSettings,
    Catalog: catalogueSettings,
    'Game servers': hostingSettings,
    Selling: sellingSettings,
    'Paying creators': payoutSettings,
    'What the site says': siteSettings,
    'App and launchers': appSettings,
    Operation: operationSettings,
  },
  [nodes]: { 'Settings of an agent': agentVariables },
  [security]: {},
};

/** Every setting of an installation and of agents. */
export const allSettings: Rows = { ...settingsTable, ...agentVariables };
const allSentences: Readonly<Record<string, Sentence>> = { ...sentences, ...agentSentences };

/** The pages as they have to be, by their path. */
export const writtenPages = (): Map<string, string> =>
  new Map(
    Object.entries(tables).map(([path, below]) => {
      let text = readFileSync(join(root, path), 'utf8');
      for (const [heading, rows] of Object.entries(below)) text = withTable(text, heading, rows);
      return [path, path === security ? withSecrets(text) : text];
    }),
  );

/** `text` with the rows in the first table below `heading`. */
function withTable(text: string, heading: string, rows: Rows): string {
  const old = new RegExp(
    `(^## ${heading}\\n(?:(?!## |\\|).*\\n)*)\\| setting \\| default \\| meaning \\|\\n(?:\\|.*\\n)*`,
    'm',
  );
  if (!old.test(text)) throw new Error(`There is no table of settings below “${heading}”.`);
  const lines = Object.entries(rows).map(([name, row]) => {
    const sentence = allSentences[name]!;
    const [fallback, meaning] =
      typeof sentence === 'string' ? [defaultOf(row), sentence] : [sentence.default, sentence.meaning];
    return `| \`${name}\` | ${fallback} | ${meaning} |\n`;
  });
  const table = ['| setting | default | meaning |\n', '| --- | --- | --- |\n', ...lines].join('');
  return text.replace(old, (_, before: string) => before + table);
}

const defaultOf = ({ default: text }: Row): string => (text ? `\`${text}\`` : 'none');

/** `text` with the names of all secret settings in the second column of the row about them. */
function withSecrets(text: string): string {
  const old = /^(\| secret settings \|)[^|]*\|/m;
  if (!old.test(text)) throw new Error('There is no row about secret settings.');
  const names = Object.entries(allSettings).flatMap(([name, { secret }]) => (secret ? [`\`${name}\``] : []));
  return text.replace(old, (_, before: string) => `${before} ${names.join(', ')} |`);
}

if (import.meta.main) for (const [path, text] of writtenPages()) writeFileSync(join(root, path), text);
