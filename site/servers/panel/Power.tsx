import { useStore } from '@nanostores/react';
import { type PowerAction, whyNotPower } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { Question } from './Ask.tsx';
import { power } from './acts.ts';
import { $acting, $line } from './panel.store.ts';
import { Sign } from './Sign.tsx';
import { factsOf, startsAgain, startsLater } from './state.ts';
import { useWords } from './Words.tsx';
import type { Words } from './words-of.ts';

/** Whether there is a process that could be stopped, as far as is known. */
export const isOn = (state: string): boolean =>
  ['running', 'starting', 'stopping', 'unknown'].includes(state);

/** Start, or stop and restart: what makes sense now. What does not, says why in its tooltip. */
export function Power({ server, ask }: { server: ServerView; ask(question: Question): void }) {
  const hasStarted = isOn(server.state);
  return (
    <>
      {(hasStarted || startsAgain(server)) && <Button server={server} action="stop" ask={ask} />}
      <Button server={server} action={hasStarted ? 'restart' : 'start'} ask={ask} primary />
    </>
  );
}

interface ButtonProps {
  server: ServerView;
  action: 'start' | 'stop' | 'restart';
  ask(question: Question): void;
  primary?: boolean;
}

function Button({ server, action, ask, primary = false }: ButtonProps) {
  const words = useWords();
  const acting = useStore($acting);
  const line = useStore($line);
  const why = whyNot(words, server, action, acting, line === 'open');
  // beside a crash card its own button is the one to press
  const look = primary && server.state !== 'crashed' ? 'btn primary' : 'btn';
  return (
    <button
      className={look}
      type="button"
      aria-disabled={why !== null}
      aria-busy={acting === action}
      data-tip={why ?? undefined}
      onClick={() => (action === 'start' ? void power('start') : ask(powerQuestion(words, action)))}
    >
      {acting !== action && <Sign name={action} />}
      {words.say(`servers.${action}`)}
    </button>
  );
}

/** Why a power action cannot be done now, in words; null when it can. */
export function whyNot(
  words: Words,
  server: ServerView,
  action: PowerAction,
  acting: PowerAction | null,
  isOpen: boolean,
): string | null {
  if (!isOpen) return words.say('servers.line_lost');
  if (acting !== null && action !== 'kill' && action !== 'stop') return words.say('servers.locked');
  if (action === 'start' && startsLater(server)) return words.say('servers.why_starts_later');
  const code = whyNotPower(factsOf(server), action);
  return code && words.refusal({ error: code, description: words.say('servers.why_broken') });
}

export const powerQuestion = (
  { say }: Words,
  action: 'stop' | 'restart' | 'kill',
  act = () => void power(action),
): Question => ({
  title: say(`servers.ask_${action}`),
  text: say(`servers.ask_${action}_text`),
  action: say(`servers.${action}`),
  kept: action,
  act,
});
