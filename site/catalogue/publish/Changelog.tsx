import { type ReactNode, useEffect, useRef } from 'react';
import { setField } from './publish.store.ts';

interface ChangelogProps {
  text: string;
  problem: string | undefined;
  /** The editor as the server rendered it; it has a text area in any case. */
  children: ReactNode;
}

/** The changelog: an editor of the page around the island, whose text area is a field of this form. */
export function Changelog({ text, problem, children }: ChangelogProps) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef(text);
  now.current = text;

  useEffect(() => {
    const area = areaIn(place.current);
    const read = () => {
      if (area && area.value !== now.current) setField('changelog', area.value);
    };
    area?.addEventListener('input', read);
    return () => area?.removeEventListener('input', read);
  }, []);
  useEffect(() => {
    const area = areaIn(place.current);
    if (!area || area.value === text) return;
    area.value = text;
    area.dispatchEvent(new Event('text:set'));
  }, [text]);
  useEffect(() => {
    const area = areaIn(place.current);
    const words = place.current?.querySelector('[data-wrong]');
    if (!area || !words) return;
    words.textContent = problem ?? '';
    if (problem) area.setAttribute('aria-invalid', 'true');
    else area.removeAttribute('aria-invalid');
  }, [problem]);
  return <div ref={place}>{children}</div>;
}

const areaIn = (place: HTMLElement | null): HTMLTextAreaElement | null =>
  place?.querySelector('textarea') ?? null;
