import type { LoaderSpec } from '#db/hosting/servers/content/change-work.ts';
import type { PageMessages } from '../../../../platform/text/MessagesContext.tsx';
import { loaderName } from '../../../shared/loader-name.ts';

/** How game versions and loaders are called on the page. */

/** All of it in a few words, such as "Fabric 0.16.14 1.21.4", each part left-to-right in every language. */
export function specText(labels: PageMessages, { game_version, loader, loader_version }: LoaderSpec): string {
  const parts = [loaderName(labels, loader), loader_version, game_version].filter(Boolean);
  return parts.map((part) => `\u2068${part}\u2069`).join(' ');
}

/** One item of a change of loader: its titles are names of fields. */
export function itemText(
  labels: PageMessages,
  { title, from, to }: { title: string; from: string | null; to: string | null },
): string {
  const { t } = labels;
  const fields = ['game_version', 'loader', 'loader_version'] as const;
  const field = fields.find((one) => one === title);
  if (!field) return from && to ? t('loader.from_to', { what: title, from, to }) : title;
  const text = (value: string | null) =>
    `\u2068${field === 'loader' ? loaderName(labels, value) : (value ?? t('loader.newest'))}\u2069`;
  return t('loader.from_to', { what: t(`loader.${field}`), from: text(from), to: text(to) });
}
