import { cleanPath, joinPath } from './paths.ts';

/** What the files page shows, as it stands in its address. Pure. */
export interface Place {
  path: string;
  /** The name of the file that is open. */
  file: string | null;
  view: 'files' | 'trash';
}

export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  const path = cleanPath(query.get('path') ?? '');
  const file = cleanPath(query.get('file') ?? '');
  return {
    path,
    file: file === '' || file.includes('/') ? null : file,
    view: query.get('view') === 'trash' ? 'trash' : 'files',
  };
}

/** The query of an address: other values, such as the language, stay. */
export function searchOf({ path, file, view }: Place, search: string): string {
  const query = new URLSearchParams(search);
  const put = (name: string, value: string | null) => (value ? query.set(name, value) : query.delete(name));
  put('path', path);
  put('file', file);
  put('view', view === 'trash' ? view : null);
  // slashes need no escape in a query, and people read it
  const text = query.toString().replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}

/** The path of the open file. */
export const openPath = ({ path, file }: Place): string | null =>
  file === null ? null : joinPath(path, file);
