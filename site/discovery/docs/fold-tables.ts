/**
 * Rendered tables with the name of its column on each cell of a row but the first, where there are more than two: on a
 * phone a row becomes a paragraph (docs.css).
 */
export const foldTables = (html: string): string =>
  html.replace(/<table>([\s\S]*?)<\/table>/g, (table) => {
    const columns = [...table.matchAll(/<th[^>]*>([\s\S]*?)<\/th>/g)].map(([, name = '']) => attribute(name));
    if (columns.length < 3) return table;
    return table.replace(/<tr>[\s\S]*?<\/tr>/g, (row) => {
      let at = 0;
      return row.replace(/<td/g, (cell) => {
        const column = columns[at];
        at += 1;
        return at > 1 ? `${cell} data-column="${column}"` : cell;
      });
    });
  });

const attribute = (html: string): string => html.replace(/<[^>]*>/g, '').replaceAll('"', '&quot;');
