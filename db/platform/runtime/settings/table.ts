import type { z } from 'zod';
import { catalogueSettings } from './catalogue.ts';
import { dataSettings, searchSettings } from './data.ts';
import { hostingSettings } from './hosting.ts';
import { mailSettings } from './mail.ts';
import { networkSettings } from './network.ts';
import { operationSettings } from './operation.ts';
import { payoutSettings } from './payouts.ts';
import { sellingSettings } from './selling.ts';
import type { Setting } from './shapes.ts';
import { accountSettings, providerSettings } from './sign-in.ts';
import { appSettings, siteSettings } from './site.ts';

/**
 * Every setting of an installation: how it is parsed, its default, whether it is secret. `sentences.ts` says what each means.
 * `node bin/settings-handbook.ts` writes the tables of the operators’ handbook from both.
 */
export const settingsTable = {
  ...networkSettings,
  ...dataSettings,
  ...searchSettings,
  ...mailSettings,
  ...providerSettings,
  ...accountSettings,
  ...catalogueSettings,
  ...hostingSettings,
  ...sellingSettings,
  ...payoutSettings,
  ...siteSettings,
  ...appSettings,
  ...operationSettings,
} satisfies Record<string, Setting>;

type Table = typeof settingsTable;
export type SettingName = keyof Table;
type Value<Name extends SettingName> = z.output<Table[Name]['shape']>;
type WithDefault = {
  [Name in SettingName]: Table[Name] extends { default: string } ? Name : never;
}[SettingName];

/** The settings as the rows parse them: those without a default may be absent. */
export type ParsedSettings = { [Name in WithDefault]: Value<Name> } & {
  [Name in Exclude<SettingName, WithDefault>]?: Value<Name> | undefined;
};

export const settingNames = Object.keys(settingsTable) as SettingName[];

/** The row of `name`, without its own types. */
export const settingOf = (name: SettingName): Setting => settingsTable[name];
