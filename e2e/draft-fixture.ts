import type { Page } from 'playwright/test';

/** A draft of the signed-in account, made as creators of tools do; gives its slug. `given` takes the place of its fields. */
export async function draftOf(page: Page, name: string, given: object = {}): Promise<string> {
  const slug = `${name.toLowerCase()}-${Date.now().toString(36)}`;
  const project = {
    slug,
    title: `${name} stones`,
    description: 'Stones in rows, and what lies behind them',
    body: 'Look at the stones.',
    project_type: 'mod',
    client_side: 'required',
    server_side: 'optional',
    categories: ['utility'],
    license_id: 'MIT',
    is_draft: true,
    initial_versions: [],
    ...given,
  };
  const answer = await page.request.post('/v2/project', {
    headers: { 'sec-fetch-site': 'same-origin' },
    multipart: { data: JSON.stringify(project) },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  return slug;
}
