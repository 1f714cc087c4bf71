import { useStore } from '@nanostores/react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { whyNotCommand, whyNotCommandText } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { useMessages } from '../../../text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { factsOf } from '../../shared/state.ts';
import { command } from '../actions.ts';
import { $connection } from '../panel.store.ts';
import { type CommandHistory, emptyHistory, sent, step } from './command-history.ts';

/**
 * The command input: Enter sends, the arrow keys recall the history. A command that was not accepted stays in the
 * field.
 */
export function Command({ server, after }: { server: ServerView; after(): void }) {
  const messages = useMessages();
  const { t } = messages;
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<CommandHistory>(emptyHistory);
  const [wrong, setWrong] = useState<string | null>(null);
  const isOpen = useStore($connection) === 'open';
  const code = whyNotCommand(factsOf(server));
  const why = !isOpen
    ? t('servers.line_lost')
    : code && refusalText(messages, { error: code, description: '' });
  useEffect(() => {
    setTyped(recalled(server.id));
  }, [server.id]);

  const send = async () => {
    if (why || text === '') return;
    const problem = whyNotCommandText(text);
    setWrong(problem && refusalText(messages, { error: problem, description: '' }));
    if (problem) return;
    setText('');
    after();
    if (await command(text)) {
      const now = sent(typed, text);
      setTyped(now);
      save(server.id, now);
    } else setText((newer) => newer || text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const moved = step(typed, event.key === 'ArrowUp' ? -1 : 1, text);
    if (!moved) return;
    setTyped(moved.typed);
    setText(moved.text);
  };
  return (
    <form
      // like the lines above: commands are left-to-right in every language
      dir="ltr"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Icon name="command" />
      <input
        className="in"
        translate="no"
        value={text}
        readOnly={why !== null}
        aria-disabled={why !== null}
        aria-label={t('servers.command')}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? 'command-wrong' : undefined}
        placeholder={why ?? t('servers.command_hint')}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {wrong && (
        <span className="err" id="command-wrong" role="alert" dir="auto">
          {wrong}
        </span>
      )}
      <button className="btn quiet s" type="submit" aria-disabled={why !== null || text === ''}>
        {t('servers.command_send')}
      </button>
    </form>
  );
}

const storageKey = (id: string) => `servers.typed.${id}`;

/** The command history of this tab: commands may contain secrets, so no other tab and no later visit sees them. */
function recalled(id: string): CommandHistory {
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(storageKey(id)) ?? '[]');
    const commands = Array.isArray(known) ? known.filter((one) => typeof one === 'string') : [];
    return { commands, at: commands.length, draft: '' };
  } catch {
    return emptyHistory;
  }
}

function save(id: string, { commands }: CommandHistory): void {
  try {
    sessionStorage.setItem(storageKey(id), JSON.stringify(commands));
  } catch {} // the history lives as long as the page
}
