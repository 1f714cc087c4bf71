import { render } from 'astro:content';
import type { APIRoute } from 'astro';
import { apiDocuments } from '../../../api/openapi-documents.server.ts';
import type { HandbookId } from '../../../discovery/docs/handbook-ids.ts';
import { handbooks, pathOf } from '../../../discovery/docs/handbooks.ts';
import { groupPath } from '../../../discovery/docs/reference/groups.ts';
import { allOperations } from '../../../discovery/docs/reference/operations.ts';
import { type Section, sectionsOf } from '../../../discovery/docs/search/sections.ts';

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
  return Response.json([...sections.flat(), ...(params.handbook === 'api' ? operationSections() : [])]);
};

/** Every operation of the reference, found by its path, its summary and the names of its parameters. */
const operationSections = (): Section[] =>
  allOperations(apiDocuments()).flatMap((group) =>
    group.operations.map(({ id, method, path, summary, variants }) => ({
      page: group.title,
      heading: `${method} ${path}`,
      path: `${groupPath(group)}#${id}`,
      text: [
        summary,
        ...variants.flatMap(({ operation }) => (operation.parameters ?? []).map(({ name }) => name)),
      ].join(' '),
    })),
  );
