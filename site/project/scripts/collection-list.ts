import { type ApiError, apiFetch } from '../../browser/api-client.ts';
import { showToast } from '../../browser/toasts.store.ts';
import { readMessages } from '../../text/message-reader.ts';
import { signIn } from '../../ui/sign-in.ts';

interface Collection {
  id: string;
  name: string;
  projects: string[];
}
type TextPrefix = 'project.save_failed' | 'error.limit_reached' | 'error.email_unverified';

/**
 * The list in the collection menu. `show` fetches the user's collections again. Source: screens §A.4 (bookmark menu).
 */
export function collections(menu: HTMLElement): { show(username: string): Promise<void> } {
  const project = menu.dataset.save!;
  const { t } = readMessages<TextPrefix>(menu);
  const part = <E extends HTMLElement>(name: string) => menu.querySelector<E>(`[data-${name}]`)!;
  const [list, seek, create] = [part('list'), part('seek'), part<HTMLFormElement>('create')];
  const search = seek.querySelector('input')!;
  const shape = part<HTMLTemplateElement>('row').content.firstElementChild!;

  function refused({ status, code }: ApiError): void {
    if (status === 401 && code !== 'email_unverified') {
      signIn();
      return;
    }
    const text =
      code === 'limit_reached' || code === 'email_unverified'
        ? t(`error.${code}`, { limit: menu.dataset.most! })
        : t('project.save_failed_text');
    showToast({ title: t('project.save_failed'), text, type: 'error', error_code: code });
  }

  function row({ id, name, projects }: Collection): HTMLElement {
    const element = shape.cloneNode(true) as HTMLElement;
    const box = element.querySelector('input')!;
    element.querySelector('bdi')!.textContent = name;
    box.checked = projects.includes(project);
    box.addEventListener('change', async () => {
      const requested = box.checked;
      box.disabled = true;
      const error = await put(id, requested);
      box.disabled = false;
      if (error) box.checked = !requested;
      mark();
      box.focus();
    });
    return element;
  }

  /** Adds the project to the collection, based on its current content, or removes it. */
  async function put(id: string, requested: boolean): Promise<ApiError | null> {
    const now = await apiFetch<Collection>(`/v3/collection/${id}`);
    const others = now.ok ? now.data.projects.filter((one) => one !== project) : [];
    const new_projects = requested ? [...others, project] : others;
    const answer = now.ok
      ? await apiFetch(`/v3/collection/${id}`, { method: 'PATCH', json: { new_projects } })
      : now;
    if (answer.ok) return null;
    refused(answer.error);
    return answer.error;
  }

  /** The bookmark icon is filled while the project is in any collection. */
  const mark = () => menu.classList.toggle('kept', list.querySelector('input:checked') !== null);

  function narrow(): void {
    const text = search.value.trim().toLowerCase();
    const rows = [...list.children] as HTMLElement[];
    for (const element of rows) element.hidden = !element.textContent!.toLowerCase().includes(text);
    part('no-match').hidden = rows.length === 0 || rows.some(({ hidden }) => !hidden);
  }

  function notified(): void {
    part('empty').hidden = list.childElementCount > 0;
    seek.hidden = list.childElementCount < 8;
    mark();
    narrow();
  }

  search.addEventListener('input', narrow);
  create.addEventListener('submit', async (event) => {
    event.preventDefault();
    const field = create.querySelector('input')!;
    const answer = await apiFetch<Collection>('/v3/collection', {
      method: 'POST',
      json: { name: field.value, projects: [project] },
    });
    if (!answer.ok) return refused(answer.error);
    create.reset();
    search.value = '';
    list.prepend(row(answer.data));
    notified();
    list.querySelector('input')!.focus();
  });

  return {
    async show(username) {
      const answer = await apiFetch<Collection[]>(`/v3/user/${encodeURIComponent(username)}/collections`);
      part('waiting').hidden = true;
      part('saved').removeAttribute('aria-busy');
      if (!answer.ok) return refused(answer.error);
      list.replaceChildren(...answer.data.map(row));
      notified();
    },
  };
}
