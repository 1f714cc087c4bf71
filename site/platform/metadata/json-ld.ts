import type { Project } from '#db/catalogue/projects/shape.ts';
import { collectionPath, organizationPath, projectPath, userPath } from '../paths/routes.ts';
import { storable } from '../text/xml.ts';

/** A schema.org node. */
export type SchemaNode = { '@type': string } & Record<string, unknown>;

/**
 * The nodes as the text of a `script` element of type application/ld+json: browsers do not run it, so the content
 * security policy does not apply. `<` is escaped, so user-written text cannot close the element.
 */
export const jsonLd = (nodes: readonly SchemaNode[]): string =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  ).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The site, and its search. */
export const siteSchema = (site: string): SchemaNode => ({
  '@type': 'WebSite',
  '@id': `${site}/#site`,
  name: 'Cairn',
  url: `${site}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

/** Breadcrumbs of a page: names with their paths, outermost first. */
export const breadcrumbSchema = (
  site: string,
  steps: ReadonlyArray<readonly [name: string, path: string]>,
): SchemaNode => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(([name, path], position) => ({
    '@type': 'ListItem',
    position: position + 1,
    name,
    item: site + path,
  })),
});

interface ProjectFacts {
  /** The name of its author. */
  maker: string | null;
  /** The slug of the organization, null when the author is a user. */
  organization: string | null;
  /** The number of the version that the page offers. */
  version: string | null;
  /** The absolute address of its image. */
  picture: string;
}

/** A project as free software. */
export function projectSchema(
  site: string,
  project: Project,
  { maker, organization, version, picture }: ProjectFacts,
): SchemaNode {
  const { title, description, published, approved, updated, license, downloads, categories } = project;
  const address = site + projectPath(project);
  return {
    '@type': 'SoftwareApplication',
    '@id': `${address}#project`,
    name: title,
    description,
    url: address,
    image: project.icon_url ?? picture,
    applicationCategory: 'GameApplication',
    ...(categories.length > 0 ? { keywords: categories } : {}),
    ...(version ? { softwareVersion: version } : {}),
    ...(license.url ? { license: license.url } : {}),
    ...(maker ? { author: authorSchema(site, maker, organization) } : {}),
    datePublished: approved ?? published,
    dateModified: updated,
    isAccessibleForFree: true,
    offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'DownloadAction' },
      userInteractionCount: downloads,
    },
  };
}

const authorSchema = (site: string, name: string, organization: string | null): SchemaNode =>
  organization === null
    ? { '@type': 'Person', name, url: site + userPath(name) }
    : { '@type': 'Organization', name, url: site + organizationPath(organization) };

interface ArticleFacts {
  title: string;
  summary: string;
  date: string;
  path: string;
  /** The absolute address of its picture. */
  picture: string;
  authors: ReadonlyArray<{ name: string; kind: 'team' | 'user'; path?: string }>;
  topics: readonly string[];
}

/** An article of the news, in English. */
export const articleSchema = (
  site: string,
  { title, summary, date, path, picture, authors, topics }: ArticleFacts,
): SchemaNode => ({
  '@type': 'Article',
  '@id': `${site}${path}#article`,
  headline: title,
  description: summary,
  url: site + path,
  mainEntityOfPage: site + path,
  image: picture,
  datePublished: date,
  dateModified: date,
  inLanguage: 'en-US',
  keywords: topics,
  author: authors.map((author) => ({
    '@type': author.kind === 'team' ? 'Organization' : 'Person',
    name: author.name,
    ...(author.path ? { url: site + author.path } : {}),
  })),
  publisher: { '@type': 'Organization', name: 'Cairn', url: `${site}/` },
});

const given = (fields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])));

/** A user's page. */
export const personSchema = (
  site: string,
  user: { username: string; bio: string | null; avatar_url: string | null; created: string },
): SchemaNode => ({
  '@type': 'ProfilePage',
  dateCreated: user.created,
  mainEntity: {
    ...authorSchema(site, user.username, null),
    ...given({ description: user.bio, image: user.avatar_url }),
  },
});

/** An organization. */
export const organizationSchema = (
  site: string,
  {
    name,
    slug,
    description,
    icon_url,
  }: { name: string; slug: string; description: string; icon_url: string | null },
): SchemaNode => ({ ...authorSchema(site, name, slug), ...given({ description, logo: icon_url }) });

/** A collection's page. */
export const collectionSchema = (
  site: string,
  collection: { id: string; name: string; description: string | null; updated: string },
  curator: string | null,
): SchemaNode => ({
  '@type': 'CollectionPage',
  name: collection.name,
  url: site + collectionPath(collection.id),
  dateModified: collection.updated,
  ...given({ description: collection.description }),
  ...(curator ? { author: authorSchema(site, curator, null) } : {}),
});
