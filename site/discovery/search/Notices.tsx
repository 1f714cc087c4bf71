import { Icon } from '../../platform/ui/Icon.tsx';
import type { NoteView } from './view.ts';

/** Parts of the address that the search ignored, each with a suggestion. */
export function Notices({ notes, title }: { notes: NoteView[]; title: string }) {
  if (notes.length === 0) return null;
  return (
    <div className="say">
      <Icon name="info" />
      <b>{title}</b>
      {notes.map(({ text, code, more, link }) => (
        <p key={text + (link?.href ?? '')}>
          {text} {code && <code dir="auto">{code}</code>} {more}{' '}
          {link && (
            <a className="link" href={link.href}>
              {link.text}
            </a>
          )}
        </p>
      ))}
    </div>
  );
}
