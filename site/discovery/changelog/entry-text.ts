import type { ChangelogProduct } from '#content/changelog-entries.ts';
import type { MessageKey, Messages } from '#content/messages.ts';
import { day } from '../../platform/text/dates.ts';
import type { ChangelogEntry } from './entries.server.ts';

const names: Record<ChangelogProduct, MessageKey> = {
  web: 'changelog.web',
  servers: 'changelog.servers',
  app: 'changelog.app',
};

/** The name of a product in the language of the page. */
export const productName = ({ t }: Messages, product: ChangelogProduct): string => t(names[product]);

/** The name of an entry without a title of its own: product and day. */
export const plainTitle = (messages: Messages, { product, date }: Pick<ChangelogEntry, 'product' | 'date'>) =>
  messages.t('changelog.entry', { product: productName(messages, product), date: day(messages, date) });

/** The HTML of an entry below a heading of its own, on a page with several: its groups rank below, without anchors. */
export const belowHeading = (html: string): string =>
  html.replace(/<h2(?: [^>]*)?>/g, '<h3>').replaceAll('</h2>', '</h3>');

/** What programs read of an entry. */
export const entryData = ({ html: _, ...entry }: ChangelogEntry): Omit<ChangelogEntry, 'html'> => entry;
