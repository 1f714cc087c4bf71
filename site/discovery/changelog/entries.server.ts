import { type CollectionEntry, getCollection } from 'astro:content';
import { type ChangelogProduct, changelogProducts, isChangelogProduct } from '#content/changelog-entries.ts';
import { changelogEntryPath, changelogPath } from '../../platform/paths/routes.ts';

/** What changed in one product on one day, written in en-US. Source: specification §3 (Changelog entry). */
export interface ChangelogEntry {
  product: ChangelogProduct;
  /** The day, `2026-11-22`. */
  date: string;
  title: string | null;
  version: string | null;
  /** Markdown, and the HTML that the build made of it. */
  body: string;
  html: string;
}

/** The entries of a product, or of all, newest first; those of one day in the order of the products. */
export async function changelogEntries(product: ChangelogProduct | null = null): Promise<ChangelogEntry[]> {
  const found: ChangelogEntry[] = (await getCollection('changelog')).map(entryOf);
  const place = (entry: ChangelogEntry) => changelogProducts.indexOf(entry.product);
  return found
    .filter((entry) => product === null || entry.product === product)
    .sort((one, other) =>
      one.date === other.date ? place(one) - place(other) : one.date < other.date ? 1 : -1,
    );
}

function entryOf({ id, data, body, rendered }: CollectionEntry<'changelog'>): ChangelogEntry {
  const [product = '', date = ''] = id.split('/');
  if (!isChangelogProduct(product)) throw new Error(`content/changelog/${id}.md is of an unknown product`);
  const { title = null, version = null } = data;
  return { product, date, title, version, body: body?.trim() ?? '', html: rendered?.html ?? '' };
}

/** The addresses of all pages of the changelog. */
export const changelogPages = async (): Promise<string[]> => [
  changelogPath(),
  ...changelogProducts.map(changelogPath),
  ...(await changelogEntries()).map(changelogEntryPath),
];
