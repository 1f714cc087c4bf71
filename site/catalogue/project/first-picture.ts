/** A picture that begins after this much of a description is below the first screen. */
const near_the_top = 2000;

/**
 * The HTML of a description, whose pictures all load lazily, with its first picture loaded at once and first if it stands
 * near the top: it is then the largest thing on the screen.
 */
export function withFirstPicture(html: string): string {
  const picture = html.indexOf('<img ');
  if (picture < 0 || picture > near_the_top) return html;
  const lazy = ' loading="lazy"';
  const at = html.indexOf(lazy, picture);
  return at < 0 ? html : `${html.slice(0, at)} fetchpriority="high"${html.slice(at + lazy.length)}`;
}
