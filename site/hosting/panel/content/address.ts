import { $dialog } from './content.store.ts';

/** What the list is searched for from the start, as `?find=TEXT`: links of other pages name one. */
export const soughtInAddress = (): string =>
  typeof location === 'undefined'
    ? ''
    : (new URLSearchParams(location.search).get('find') ?? '').slice(0, 100);

/** What the address of the page asks for, once: a project to install, as `?install=ID&version=ID&pack=1`. */
export function openFromAddress(): void {
  const query = new URLSearchParams(location.search);
  const project_id = query.get('install');
  if (!project_id) return;
  const version_id = query.get('version');
  const kind = query.has('pack') ? 'pack' : 'install';
  $dialog.set({ kind, project_id, ...(version_id && { version_id }) });
  for (const name of ['install', 'version', 'pack']) query.delete(name);
  const rest = query.toString();
  history.replaceState(history.state, '', location.pathname + (rest && `?${rest}`));
}
