/**
 * The HTML of a legal text, made from our own markdown by the build, for reading: links to other legal pages keep the
 * language and know their whole address, which is printed; cells of tables know their column, which is shown on narrow
 * screens, where a row is a block.
 */
export const legalHtml = (html: string, link: (path: string) => string, site_url: string): string =>
  html
    .replace(
      /<a href="(\/[^"#]*)"/g,
      (_, path: string) =>
        `<a href="${path.startsWith('/legal/') ? link(path) : path}" data-address="${site_url}${path}"`,
    )
    .replace(/<table>.*?<\/table>/gs, labeled);

function labeled(table: string): string {
  const columns = [...table.matchAll(/<th(?:\s[^>]*)?>(.*?)<\/th>/gs)].map(([, name]) => name!);
  return table.replace(/<tr>(.*?)<\/tr>/gs, (row) => {
    let at = 0;
    return row.replace(/<td/g, () => `<td data-label="${columns[at++] ?? ''}"`);
  });
}
