import { glyphOf } from './glyph.ts';

/** A picture to tell servers apart, made from the ID. */
export function ServerGlyph({ id }: { id: string }) {
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
