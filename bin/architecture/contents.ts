import type { SourceTree } from './source-tree.ts';

/**
 * Classifies a file by its content rather than its name. A test file is one with that suffix or in a folder `testing`,
 * and product code must not import it.
 */
export const isTest = (path: string): boolean =>
  /(\.test|\.e2e)\.ts$|(^|\/)testing\//.test(path) || /^(e2e|bench)\//.test(path);

const keyword =
  'select|insert into|update|delete from|with|lock table|truncate|create|alter|refresh|listen|notify';
const query = new RegExp(`[\\w)\\]>]\`\\s*(${keyword})\\s`, 'i');

/** Whether a file contains SQL: a tagged query, or `unsafe`. */
export const containsQuery = (tree: SourceTree, path: string): boolean => {
  const text = tree.code(path);
  return query.test(text) || /\.unsafe\(/.test(text);
};

/** Whether a file works on the database: it contains a query, or takes a handle of it (`Db` or `Pool`). */
export const usesDatabase = (tree: SourceTree, path: string): boolean =>
  containsQuery(tree, path) ||
  (tree.imports(path).some(({ to }) => to === 'db/platform/postgres/sql.ts') &&
    /:\s*(Db|Pool|Sql)\b/.test(tree.code(path)));

/**
 * Whether a file runs in a browser: islands, stores, page scripts, imports of a page's `<script>`, and what a worker reads
 * archives with.
 */
export const isBrowserEntry = (path: string): boolean =>
  /\.tsx$|\.store\.ts$|^site\/.+\/scripts\/|^db\/catalogue\/manifests\//.test(path);

/** A component: it renders its props. Pages load data. */
export const isComponent = (path: string): boolean =>
  path.startsWith('site/') && !path.startsWith('site/pages/') && /\.(astro|tsx)$/.test(path);
