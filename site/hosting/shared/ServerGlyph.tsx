import { useState } from 'react';
import { glyphOf } from './glyph.ts';

interface Props {
  id: string;
  /** What `ServerView` says of its picture; without one, or when that cannot be loaded, one is drawn from the ID. */
  icon?: string | null;
}

/** A picture to tell servers apart. */
export function ServerGlyph({ id, icon = null }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  if (icon !== null && icon !== broken)
    return (
      <img
        className="pic"
        src={`/servers/manage/${id}/icon?v=${icon}`}
        width={64}
        height={64}
        alt=""
        onError={() => setBroken(icon)}
      />
    );
  const { color, shapes } = glyphOf(id);
  return (
    <span className={`pic glyph m${color}`}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        {shapes.map(({ d, shade }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of an ID never change
          <path key={i} className={`g${shade}`} d={d} />
        ))}
      </svg>
    </span>
  );
}
