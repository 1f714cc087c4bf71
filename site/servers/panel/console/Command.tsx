import { useStore } from '@nanostores/react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { whyNotCommand, whyNotCommandText } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { command } from '../acts.ts';
import { $line } from '../panel.store.ts';
import { Sign } from '../Sign.tsx';
import { factsOf } from '../state.ts';
import { useWords } from '../Words.tsx';
import { nothingTyped, sent, step, type Typed } from './typed.ts';

/** Where one types commands: Enter sends, the arrows bring back what was sent. What was not taken stays in the field. */
export function Command({ server, after }: { server: ServerView; after(): void }) {
  const { say, refusal } = useWords();
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<Typed>(nothingTyped);
  const [wrong, setWrong] = useState<string | null>(null);
  const isOpen = useStore($line) === 'open';
  const code = whyNotCommand(factsOf(server));
  const why = !isOpen ? say('servers.line_lost') : code && refusal({ error: code, description: '' });
  useEffect(() => {
    setTyped(recalled(server.id));
  }, [server.id]);

  const send = async () => {
    if (why || text === '') return;
    const problem = whyNotCommandText(text);
    setWrong(problem && refusal({ error: problem, description: '' }));
    if (problem) return;
    setText('');
    after();
    if (await command(text)) {
      const now = sent(typed, text);
      setTyped(now);
      keep(server.id, now);
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
      // like the lines above it: what is typed goes from left to right in every language
      dir="ltr"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Sign name="command" />
      <input
        className="in"
        translate="no"
        value={text}
        readOnly={why !== null}
        aria-disabled={why !== null}
        aria-label={say('servers.command')}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? 'command-wrong' : undefined}
        placeholder={why ?? say('servers.command_hint')}
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
        {say('servers.command_send')}
      </button>
    </form>
  );
}

const keptAs = (id: string) => `servers.typed.${id}`;

/** What was typed in this window before: commands may hold secrets, so no other window and no later visit sees them. */
function recalled(id: string): Typed {
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(keptAs(id)) ?? '[]');
    const commands = Array.isArray(known) ? known.filter((one) => typeof one === 'string') : [];
    return { commands, at: commands.length, draft: '' };
  } catch {
    return nothingTyped;
  }
}

function keep(id: string, { commands }: Typed): void {
  try {
    sessionStorage.setItem(keptAs(id), JSON.stringify(commands));
  } catch {} // they are remembered while the page is open
}
