import on from 'lucide-static/icons/arrow-right.svg?raw';
import left from 'lucide-static/icons/chevron-left.svg?raw';
import right from 'lucide-static/icons/chevron-right.svg?raw';
import download from 'lucide-static/icons/download.svg?raw';
import heart from 'lucide-static/icons/heart.svg?raw';
import history from 'lucide-static/icons/history.svg?raw';
import info from 'lucide-static/icons/info.svg?raw';
import x from 'lucide-static/icons/x.svg?raw';

const inside = (svg: string) => svg.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, '');
const drawings = { download, heart, history, info, left, on, right, x };

/** The icons for the search islands; pages use @lucide/astro. */
export function Icon({ name }: { name: keyof typeof drawings }) {
  return <Drawing svg={drawings[name]} turns={name === 'left' || name === 'right' || name === 'on'} />;
}

/** A lucide-static icon in the size of the text; `turns` mirrors it in right-to-left languages. */
export const Drawing = ({ svg, turns = false }: { svg: string; turns?: boolean }) => (
  <svg
    className={turns ? 'i flip' : 'i'}
    viewBox="0 0 24 24"
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a drawing of a package, never anybody's text
    dangerouslySetInnerHTML={{ __html: inside(svg) }}
  />
);
