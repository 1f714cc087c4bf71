interface Picture {
  name: string;
  state: string;
  look: string;
  file: string;
}

/** A page with all pictures side by side: a row for each screen, its looks and states next to each other. */
export function contactSheet(pictures: readonly Picture[]): string {
  const rows = Map.groupBy(pictures, ({ name }) => name);
  const picture = ({ name, state, look, file }: Picture) =>
    `<td><a href="${file}"><img src="${file}" alt="${escaped(`${name}, ${state}, ${look}`)}" loading="lazy"></a><br>${state}, ${look}</td>`;
  const row = ([name, all]: [string, Picture[]]) =>
    `<tr><th>${escaped(name)}</th>${all.map(picture).join('')}</tr>`;
  return `<!doctype html>
<meta charset="utf-8">
<title>Screens of Cairn</title>
<style>
body { font: 14px system-ui; background: #222; color: #eee }
th { text-align: start; vertical-align: top; padding: 8px; position: sticky; inset-inline-start: 0; background: #222; max-width: 12rem; overflow-wrap: anywhere }
td { vertical-align: top; padding: 4px }
img { width: 320px; max-height: 480px; object-fit: cover; object-position: top; border: 1px solid #555 }
</style>
<table>
${[...rows].map(row).join('\n')}
</table>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
