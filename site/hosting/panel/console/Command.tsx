import { useStore } from '@nanostores/react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { whyNotCommand, whyNotCommandText, whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import type { RefusalCode } from '#db/platform/errors.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { factsOf } from '../../shared/state.ts';
import { useAllowed } from '../core/access.ts';
import { command } from '../core/actions.ts';
import { $connection } from '../core/panel.store.ts';
import { type CommandHistory, emptyHistory, sent, step } from './command-history.ts';
import { useKnownCommands } from './known-commands.ts';
import { list_id, optionId, useCompletion } from './use-completion.ts';

const Suggestions = later(async () => (await import('./Suggestions.tsx')).Suggestions);

/**
 * The command input, a combobox. Tab accepts a suggestion, the arrow keys choose one or recall the history, Enter sends
 * what the field shows, Escape hides the suggestions: then Tab leaves the field. A command that was not accepted stays
 * in the field.
 */
export function Command({ server, after }: { server: ServerView; after(): void }) {
  const messages = useMessages();
  const { t } = messages;
  const [history, setHistory] = useState<CommandHistory>(emptyHistory);
  const [wrong, setWrong] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const isOpen = useStore($connection) === 'open';
  const mayWrite = useAllowed(whyNotHave.console);
  const why = mayWrite ? whyOff(isOpen, whyNotCommand(factsOf(server))) : 'servers.command_not_allowed';
  const completion = useCompletion(useKnownCommands(server, isFocused && isOpen && mayWrite));
  const { text, suggestions, active } = completion;
  const isListed = why === null && suggestions.length > 0;
  useEffect(() => {
    setHistory(recalled(server.id));
  }, [server.id]);

  const send = async () => {
    // a completed word has a space behind it, for the next one
    const line = text.trimEnd();
    if (why || line === '') return;
    const problem = whyNotCommandText(line);
    setWrong(problem && refusalText(messages, { error: problem, description: '' }));
    if (problem) return;
    completion.put('');
    after();
    // at once: who presses the arrow before the answer finds it
    const now = sent(history, line);
    setHistory(now);
    if (await command(line)) save(server.id, now);
    else completion.restore(text);
  };
  const recall = (by: 1 | -1) => {
    const moved = step(history, by, text);
    if (!moved) return;
    setHistory(moved.typed);
    completion.put(moved.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const by = key === 'ArrowUp' ? -1 : 1;
      if (!completion.move(by)) recall(by);
    } else if (key === 'Tab' && isListed && !event.shiftKey) completion.accept(active);
    else if (key === 'Escape' && completion.close()) event.stopPropagation();
    else return;
    event.preventDefault();
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
      {isListed && <Suggestions completion={completion} typed={completion.typed} />}
      <Icon name="command" />
      <input
        className="in"
        translate="no"
        role="combobox"
        value={text}
        readOnly={why !== null}
        aria-disabled={why !== null}
        aria-label={t('servers.command')}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? 'command-wrong' : 'command-keys'}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? list_id : undefined}
        aria-activedescendant={isListed ? optionId(active) : undefined}
        placeholder={t(why ?? 'servers.command_hint')}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        onChange={(event) => completion.type(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          completion.close();
        }}
      />
      <span className="hide" id="command-keys" dir="auto">
        {t('servers.command_keys')}
      </span>
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

/** Why no command can be typed, in a word or two: the page says more. */
function whyOff(isOpen: boolean, code: RefusalCode | null): MessageKey | null {
  if (!isOpen) return 'servers.command_not_connected';
  if (code === 'server_suspended') return 'servers.state_suspended';
  if (code === 'server_unreachable') return 'servers.state_unknown';
  return code && 'servers.command_not_running';
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
