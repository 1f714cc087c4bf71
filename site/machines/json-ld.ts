import type { Project } from '#db/projects/shape.ts';
import { kinds, projectPath } from '../project/types.ts';
import { storable } from './xml.ts';

/** A thing as schema.org describes it. */
export type Thing = { '@type': string } & Record<string, unknown>;

/**
 * The things as the text of a `script` element of type application/ld+json: no browser runs it, so the content
 * security policy does not count it. `<` is written as an escape, so nothing that people wrote ends the element.
 */
export const jsonLd = (things: readonly Thing[]): string =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': things }, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  ).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The site, and how to search it. */
export const siteThing = (site: string): Thing => ({
  '@type': 'WebSite',
  '@id': `${site}/#site`,
  name: 'Cairn',
  url: `${site}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site}${kinds[0].path}?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

/** The way to a page: names with their paths, outermost first. */
export const trailThing = (
  site: string,
  steps: ReadonlyArray<readonly [name: string, path: string]>,
): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(([name, path], place) => ({
    '@type': 'ListItem',
    position: place + 1,
    name,
    item: site + path,
  })),
});

interface Made {
  /** Who stands for it. */
  maker: string | null;
  by_organization: boolean;
  /** The number of the version its page offers. */
  version: string | null;
  /** The whole address of its picture. */
  picture: string;
}

/** A project as software that costs nothing. */
export function projectThing(
  site: string,
  project: Project,
  { maker, by_organization, version, picture }: Made,
): Thing {
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
    ...(maker ? { author: { '@type': by_organization ? 'Organization' : 'Person', name: maker } } : {}),
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
