import type { ReactNode } from 'react';
import type { LinePart, LinkedSegments, Segment } from './line-segments.ts';

interface LinePartsProps {
  parts: readonly LinePart[];
  /** Whether Tab reaches the links: in a list of thousands of lines it does not. */
  reachable?: boolean;
}

/** The text of a line: colors, search matches, links, and long words that may break anywhere. */
export function LineParts({ parts, reachable = false }: LinePartsProps): ReactNode {
  return parts.map(({ is_long, parts: linked }, at) => {
    const content = linked.map((part, key) => linkOf(part, key, reachable));
    return is_long ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text stay where they are
      <span key={at} className="long">
        {content}
      </span>
    ) : (
      content
    );
  });
}

function linkOf({ link, segments }: LinkedSegments, key: number, reachable: boolean): ReactNode {
  const content = segments.map(styled);
  if (!link) return content;
  return (
    // the server wrote it: it learns nothing of this page, and the tooltip says where it leads
    <a
      key={key}
      href={link.href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      title={link.host}
      tabIndex={reachable ? undefined : -1}
    >
      {content}
    </a>
  );
}

function styled({ text, style, hit }: Segment, key: number): ReactNode {
  if (hit)
    return (
      <mark key={key} className={style || undefined}>
        {text}
      </mark>
    );
  return style ? (
    <span key={key} className={style}>
      {text}
    </span>
  ) : (
    text
  );
}
