import type { Scene } from './scenes.ts';

/** A page with all screenshots side by side: a row per scene, a column per theme and viewport. */
export function contactSheet(
  scenes: readonly Scene[],
  looks: readonly string[],
  fileOf: (scene: Scene, look: string) => string,
): string {
  const picture = (scene: Scene, look: string) => {
    const file = fileOf(scene, look);
    return `<td><a href="${file}"><img src="${file}" alt="${escaped(scene.name)}, ${look}" loading="lazy"></a></td>`;
  };
  const row = (scene: Scene) =>
    `<tr><th>${escaped(scene.name)}</th>${looks.map((look) => picture(scene, look)).join('')}</tr>`;
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
<tr><th></th>${looks.map((look) => `<th>${look}</th>`).join('')}</tr>
${scenes.map(row).join('\n')}
</table>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
