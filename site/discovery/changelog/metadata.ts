import type { ChangelogProduct } from '#content/changelog-entries.ts';
import { breadcrumbSchema, type SchemaNode } from '../../platform/metadata/json-ld.ts';
import { changelogEntryPath, changelogFeed, changelogPath } from '../../platform/paths/routes.ts';
import type { ChangelogEntry } from './entries.server.ts';
import { plainTitle, productName } from './entry-text.ts';

/** The props of `Page` of a page of the changelog: title, description, feeds, JSON-LD nodes. */
interface Metadata {
  title: string;
  description: string;
  feeds: Array<{ path: string; title: string }>;
  schema: SchemaNode[];
  /** The day of an entry. */
  published?: string;
}
type Locals = Pick<App.Locals, 't' | 'messages' | 'services'>;

/** The name of a product's changelog, or of all. */
export const changelogTitle = (
  { t, messages }: Omit<Locals, 'services'>,
  product: ChangelogProduct | null,
) => (product ? t('changelog.of', { product: productName(messages, product) }) : t('changelog.title'));

const feedOf = (locals: Locals, product: ChangelogProduct | null) => ({
  path: changelogFeed(product),
  title: locals.t('shell.page_title', { title: changelogTitle(locals, product), site: 'Cairn' }),
});

const steps = ({ t, messages }: Locals, product: ChangelogProduct | null): Array<[string, string]> => [
  [t('news.title'), '/news'],
  [t('changelog.title'), changelogPath()],
  ...(product ? [[productName(messages, product), changelogPath(product)] as [string, string]] : []),
];

/** The metadata of the timeline of a product, or of all. */
export function changelogMetadata(locals: Locals, product: ChangelogProduct | null): Metadata {
  const { t, services } = locals;
  const site = services.settings.SITE_URL;
  const name = changelogTitle(locals, product);
  return {
    title: t('shell.page_title', { title: name, site: 'Cairn' }),
    description: t('changelog.lead'),
    feeds: product ? [feedOf(locals, product), feedOf(locals, null)] : [feedOf(locals, null)],
    schema: [
      { '@type': 'CollectionPage', name, url: site + changelogPath(product) },
      breadcrumbSchema(site, steps(locals, product)),
    ],
  };
}

/** The metadata of one entry. */
export function entryMetadata(locals: Locals, entry: ChangelogEntry): Metadata {
  const { t, messages, services } = locals;
  const site = services.settings.SITE_URL;
  const plain = plainTitle(messages, entry);
  const title = entry.title ?? plain;
  const url = site + changelogEntryPath(entry);
  return {
    title: t('shell.page_title', { title, site: 'Cairn' }),
    description: plain,
    published: entry.date,
    feeds: [feedOf(locals, entry.product), feedOf(locals, null)],
    schema: [
      {
        '@type': 'Article',
        headline: title,
        url,
        mainEntityOfPage: url,
        datePublished: entry.date,
        articleSection: entry.product,
        inLanguage: 'en-US',
        author: { '@type': 'Organization', name: 'Cairn', url: `${site}/` },
      },
      breadcrumbSchema(site, [...steps(locals, entry.product), [title, changelogEntryPath(entry)]]),
    ],
  };
}
