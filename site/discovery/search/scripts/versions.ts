import { apiFetch } from '../../../platform/browser/api-client.ts';
import { showToast } from '../../../platform/browser/toasts.store.ts';

/** The options of versions that are not releases, in the list or removed from it. */
let snapshots: Map<string, HTMLElement> | null = null;

/** Lists every game version in the filter, or only releases and selected ones; fetches the names on first use. */
export async function showAllVersions(
  list: HTMLElement,
  all: boolean,
  failed: { title: string; text: string },
): Promise<void> {
  const lines = new Map(
    [...list.children].map((line) => [line.querySelector('input')!.value, line as HTMLElement]),
  );
  if (!all) {
    for (const [name, line] of snapshots ?? [])
      if (!line.querySelector(':checked')) lines.get(name)?.remove();
    return;
  }
  const answer = await apiFetch('GET /v2/tag/game_version');
  const shape = list.firstElementChild;
  if (!answer.ok || !shape) {
    showToast({ type: 'error', ...failed });
    return;
  }
  snapshots ??= new Map();
  for (const { version, version_type } of answer.data) {
    const line = lines.get(version) ?? snapshots.get(version) ?? lineOf(shape, version);
    if (version_type !== 'release') snapshots.set(version, line);
    list.append(line);
  }
}

/** An option like `shape` for another version; every occurrence of the version in its texts is replaced. */
function lineOf(shape: Element, version: string): HTMLElement {
  const line = shape.cloneNode(true) as HTMLElement;
  const old = shape.querySelector('input')!.value;
  line.hidden = false;
  line.querySelector('bdi')!.textContent = version;
  for (const box of line.querySelectorAll('input')) {
    box.value = version;
    box.checked = false;
  }
  for (const element of line.querySelectorAll('[title], [aria-label]')) {
    for (const name of ['title', 'aria-label']) {
      const text = element.getAttribute(name);
      if (text) element.setAttribute(name, text.replace(old, version));
    }
  }
  return line;
}
