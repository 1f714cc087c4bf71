import { type ApiResult, apiFetch } from '../../browser/api-client.ts';
import { mutate } from '../../browser/mutate.ts';

interface Collection {
  id: string;
  name: string;
  projects: string[];
}

/**
 * The list in the collection menu. `show` fetches the user's collections again. Source: screens §A.4 (bookmark menu).
 */
export function collections(menu: HTMLElement): { show(username: string): Promise<void> } {
  const project = menu.dataset.save!;
  const part = <E extends HTMLElement>(name: string) => menu.querySelector<E>(`[data-${name}]`)!;
  const [list, seek, create] = [part('list'), part('seek'), part<HTMLFormElement>('create')];
  const search = seek.querySelector('input')!;
  const shape = part<HTMLTemplateElement>('row').content.firstElementChild!;

  function row({ id, name, projects }: Collection): HTMLElement {
    const element = shape.cloneNode(true) as HTMLElement;
    const box = element.querySelector('input')!;
    element.querySelector('bdi')!.textContent = name;
    box.checked = projects.includes(project);
    box.addEventListener('change', () => {
      const requested = box.checked;
      const send = async () => {
        box.checked = requested;
        box.disabled = true;
        const result = await put(id, requested);
        box.disabled = false;
        if (!result.ok) box.checked = !requested;
        mark();
        box.focus();
        return result;
      };
      void mutate({ send, repeatable: true });
    });
    return element;
  }

  /** Adds the project to the collection, based on its current content, or removes it. */
  async function put(id: string, requested: boolean): Promise<ApiResult<unknown>> {
    const now = await apiFetch<Collection>(`/v3/collection/${id}`);
    if (!now.ok) return now;
    const others = now.data.projects.filter((one) => one !== project);
    const new_projects = requested ? [...others, project] : others;
    return await apiFetch(`/v3/collection/${id}`, { method: 'PATCH', json: { new_projects } });
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
  create.addEventListener('submit', (event) => {
    event.preventDefault();
    const field = create.querySelector('input')!;
    const { tooShort, valueMissing } = field.validity;
    const isShort = tooShort || valueMissing;
    field.ariaInvalid = isShort ? 'true' : null;
    part('short').textContent = isShort ? part('short').dataset.short! : '';
    if (isShort) return field.focus();
    const json = { name: field.value, projects: [project] };
    void mutate({
      send: () => apiFetch<Collection>('/v3/collection', { method: 'POST', json }),
      refresh(collection) {
        create.reset();
        search.value = '';
        list.prepend(row(collection));
        notified();
        list.querySelector('input')!.focus();
      },
    });
  });

  return {
    async show(username) {
      const send = async () => {
        const answer = await apiFetch<Collection[]>(`/v3/user/${encodeURIComponent(username)}/collections`);
        part('waiting').hidden = true;
        part('saved').removeAttribute('aria-busy');
        return answer;
      };
      await mutate({
        send,
        repeatable: true,
        refresh(all) {
          list.replaceChildren(...all.map(row));
          notified();
        },
      });
    },
  };
}
