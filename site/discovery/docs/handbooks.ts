import { type CollectionEntry, getCollection } from 'astro:content';
import { type HandbookId, handbookIds } from './handbook-ids.ts';
import { errorsPath, groupPath, groups } from './reference/groups.ts';

/** A page of a handbook, as its front matter and file name describe it. */
export interface HandbookPage {
  handbook: HandbookId;
  /** The last segment of its address. */
  slug: string;
  title: string;
  /** One sentence. */
  description: string;
  entry: CollectionEntry<'docs'>;
}

/** The pages of each handbook in their order. Fails the build when two pages have the same place. */
export async function handbooks(): Promise<Array<{ id: HandbookId; pages: HandbookPage[] }>> {
  const entries = await getCollection('docs');
  return handbookIds.map((id) => {
    const own = entries
      .filter((entry) => entry.id.startsWith(`${id}/`))
      .sort((a, b) => a.data.order - b.data.order);
    for (const [at, { data, filePath }] of own.entries())
      if (data.order === own[at + 1]?.data.order)
        throw new Error(`${filePath} and ${own[at + 1]!.filePath} have the same order ${data.order}`);
    const pages = own.map((entry) => ({
      handbook: id,
      slug: entry.id.slice(id.length + 1),
      title: entry.data.title,
      description: entry.data.description,
      entry,
    }));
    return { id, pages };
  });
}

/** The pages of one handbook in their order. */
export const handbookPagesOf = async (id: HandbookId): Promise<HandbookPage[]> =>
  (await handbooks()).find((one) => one.id === id)!.pages;

/** The address of a page. */
export const pathOf = ({ handbook, slug }: Pick<HandbookPage, 'handbook' | 'slug'>): string =>
  `/docs/${handbook}/${slug}`;

/** The addresses of the overview and of every page, without language. */
export const docsPaths = async (): Promise<string[]> => [
  '/docs',
  ...(await handbooks()).flatMap(({ pages }) => pages.map(pathOf)),
  '/docs/api',
  ...groups.map(groupPath),
  errorsPath,
];
