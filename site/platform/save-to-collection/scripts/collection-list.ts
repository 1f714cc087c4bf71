import { type ApiResult, apiFetch } from '../../browser/api-client.ts';
import { $viewer } from '../../browser/current-user.store.ts';
import { mutate } from '../../browser/mutate.ts';
import '../../ui/scripts/saved.ts';

interface Collection {
  id: string;
  name: string;
  projects: string[];
}

/** The project that the chooser is open for: its id, and the words of the button that opened it. */
interface Chosen {
  id: string;
  label: string;
}

export interface CollectionList {
  /** Opens the chooser for a project, and fetches the user's collections again. */
  show(username: string, project: Chosen): Promise<void>;
}

/** The list of collections in the chooser; each change is said, with a button to undo it. Source: screens §A.4. */
export function collectionList(dialog: HTMLDialogElement): CollectionList {
  const part = <E extends HTMLElement>(name: string) => dialog.querySelector<E>(`[data-${name}]`)!;
  const [list, seek, create, changed] = [
    part('list'),
    part('seek'),
    part<HTMLFormElement>('create'),
    part('changed'),
  ];
  const search = seek.querySelector('input')!;
  const shape = part<HTMLTemplateElement>('row').content.firstElementChild!;
  let project = '';
  let undo = () => {};

  function row({ id, name, projects }: Collection): HTMLElement {
    const element = shape.cloneNode(true) as HTMLElement;
    const box = element.querySelector('input')!;
    const of = project; // the chooser may be open for another one when an answer arrives
    element.querySelector('bdi')!.textContent = name;
    box.checked = projects.includes(of);
    const change = (requested: boolean) => {
      const send = async () => {
        box.checked = requested;
        box.disabled = true;
        const result = await put(id, of, requested);
        box.disabled = false;
        if (!result.ok) box.checked = !requested;
        mark();
        box.focus();
        return result;
      };
      const refresh = () => say(requested ? 'added' : 'removed', name, () => change(!requested));
      void mutate({ send, refresh, repeatable: true });
    };
    box.addEventListener('change', () => change(box.checked));
    return element;
  }

  /** Says what was done, and offers to undo it. */
  function say(what: 'added' | 'removed', name: string, back: () => void): void {
    const status = changed.querySelector<HTMLElement>('[role=status]')!;
    changed.hidden = false;
    status.textContent = status.dataset[what]!.replace('{name}', () => name);
    undo = back;
  }

  /** Adds the project to the collection, based on its current content, or removes it. */
  async function put(id: string, of: string, requested: boolean): Promise<ApiResult<unknown>> {
    const now = await apiFetch('GET /v3/collection/{id}', { path: { id } });
    if (!now.ok) return now;
    const others = now.data.projects.filter((one) => one !== of);
    const new_projects = requested ? [...others, of] : others;
    return await apiFetch('PATCH /v3/collection/{id}', { path: { id }, json: { new_projects } });
  }

  /** The bookmarks of the project are filled while it is in any collection. */
  function mark(): void {
    const viewer = $viewer.get();
    if (!viewer) return;
    const others = viewer.saved.filter((id) => id !== project);
    $viewer.set({ ...viewer, saved: list.querySelector('input:checked') ? [...others, project] : others });
  }

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
  part('undo').addEventListener('click', () => undo());
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
      send: () => apiFetch('POST /v3/collection', { json }),
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
    async show(username, { id, label }) {
      if (dialog.open) return;
      project = id;
      changed.hidden = true;
      list.replaceChildren();
      part('waiting').hidden = false;
      dialog.querySelector('h2')!.textContent = label;
      dialog.showModal();
      await mutate({
        repeatable: true,
        send: () => apiFetch('GET /v3/user/{id}/collections', { path: { id: username } }),
        refresh(all) {
          if (project !== id) return;
          list.replaceChildren(...all.map(row));
          notified();
        },
      });
      part('waiting').hidden = true;
      part('saved').removeAttribute('aria-busy');
    },
  };
}
