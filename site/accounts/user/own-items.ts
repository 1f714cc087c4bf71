import { apiFetch } from '../../platform/browser/api-client.ts';

interface Item {
  id: string;
  status: string;
  /** Of projects. */
  title?: string;
  /** Of collections. */
  name?: string;
}

/** What everybody sees on the profile anyway. */
const isPublic = ({ status }: Item): boolean => ['approved', 'archived', 'listed'].includes(status);

/** Fills the section with the projects and collections of its owner that are not public; without any it stays hidden. */
export async function showOwnItems(section: HTMLElement): Promise<void> {
  const path = { id: section.dataset.own! };
  const labels = JSON.parse(section.dataset.labels!) as Record<string, string>;
  const [projects, collections] = await Promise.all([
    apiFetch('GET /v2/user/{id}/projects', { path }),
    apiFetch('GET /v3/user/{id}/collections', { path }),
  ]);
  const list = section.querySelector('ul')!;
  for (const [answer, kind] of [
    [projects, 'project'],
    [collections, 'collection'],
  ] as const) {
    const template = section.querySelector<HTMLTemplateElement>(`[data-row=${kind}]`)!;
    for (const item of answer.ok ? (answer.data as Item[]).filter((one) => !isPublic(one)) : []) {
      const row = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
      const title = row.querySelector('a')!;
      title.href = title.getAttribute('href')!.replace('{id}', item.id);
      row.querySelector('bdi')!.textContent = item.title ?? item.name ?? item.id;
      row.querySelector('.badge')!.textContent = labels[item.status] ?? item.status;
      list.append(row);
    }
  }
  section.hidden = list.querySelector('li') === null;
}
