import { useEffect, useRef } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { type Completion, list_id, optionId } from './use-completion.ts';

/** The suggestions above the command field. The field keeps the focus; a press accepts one. */
export function Suggestions({ completion, typed }: { completion: Completion; typed: string }) {
  const { t, parts } = useMessages();
  const { suggestions, active, accept } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  return (
    <div className="sugg">
      <div
        ref={list}
        id={list_id}
        role="listbox"
        aria-label={t('servers.command_suggestions')}
        translate="no"
      >
        {suggestions.map(({ text }, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: Tab in the field does the same
          <div
            key={text}
            id={optionId(at)}
            role="option"
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(at)}
          >
            {text.slice(0, sharedLength(text, typed))}
            <b>{text.slice(sharedLength(text, typed))}</b>
          </div>
        ))}
      </div>
      <span className="meta" aria-hidden="true">
        {parts('servers.tab_completes', { key: <kbd key="key">Tab</kbd> })}
      </span>
    </div>
  );
}

/** How much of a suggestion was typed already. */
function sharedLength(text: string, typed: string): number {
  let at = 0;
  while (at < typed.length && text[at]?.toLowerCase() === typed[at]!.toLowerCase()) at += 1;
  return at;
}
