/** What the checklist reads in texts: simple signs, quick also for the longest description. */

const image = /!\[([^\]\n]{0,250})\]\([^)\n[]{0,500}\)|<img\b[^<>]{0,500}>/gi;
const code = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;

/** Characters that remain to read without pictures, code, addresses and marks. */
export function readableLength(markdown: string): number {
  const text = markdown
    .replace(code, ' ')
    .replace(image, ' ')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\[([^\]\n]{0,250})\]\([^)\n[]{0,500}\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[#>*_~`|-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...text].length;
}

const longest_header = 100;

/** Whether a heading is a paragraph. */
export const headersLong = (markdown: string): boolean =>
  markdown
    .replace(code, '')
    .split('\n')
    .some(
      (line) => /^\s{0,3}#{1,6}\s/.test(line) && [...line.replace(/^[\s#]+/, '')].length > longest_header,
    );

const readable_per_image = 60;

/** Whether there are several pictures with hardly any text. */
export function imagesHeavy(markdown: string): boolean {
  const pictures = markdown.replace(code, '').match(image)?.length ?? 0;
  return pictures > 2 && readableLength(markdown) < pictures * readable_per_image;
}

/** Whether a picture has no text for those who cannot see it. */
export function altMissing(markdown: string): boolean {
  const pictures = markdown.replace(code, '').match(image) ?? [];
  return pictures.some((text) =>
    text.startsWith('!')
      ? /^!\[\s*\]/.test(text)
      : !/\balt\s*=\s*("\s*[^"\s][^"]*"|'\s*[^'\s][^']*'|[^\s"'>]+)/i.test(text),
  );
}

/** Whether a summary has marks, links, line breaks or quotes around it. */
export const summaryFormatted = (summary: string): boolean =>
  /\n|https?:\/\/|\[[^\]\n]{0,300}\]\(|\*\*|__|~~|`|^\s*[#>]/.test(summary) ||
  /^\s*["“«].*["”»]\s*$/.test(summary);
