import { render } from 'astro:content';
import type { APIRoute } from 'astro';
import type { HandbookId } from '../../../docs/handbook-ids.ts';
import { handbooks, pathOf } from '../../../docs/handbooks.ts';
import { sectionsOf } from '../../../docs/search/sections.ts';

export const prerender = true;

export const getStaticPaths = async () => (await handbooks()).map(({ id }) => ({ params: { handbook: id } }));

/** What the search box of a handbook loads: its sections. The same file serves every language. */
export const GET: APIRoute<Record<string, unknown>, { handbook: HandbookId }> = async ({ params }) => {
  const { pages } = (await handbooks()).find(({ id }) => id === params.handbook)!;
  const sections = await Promise.all(
    pages.map(async (page) => {
      const { headings } = await render(page.entry);
      const { title, description, entry } = page;
      return sectionsOf({ title, description, path: pathOf(page), body: entry.body ?? '' }, headings);
    }),
  );
  return Response.json(sections.flat());
};
