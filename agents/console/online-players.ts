import { max_named_players } from '#control/protocol/console.ts';
import { isPlayerName } from '#db/hosting/servers/players/rules.ts';
import type { Console } from './console.ts';

/** How long an answer is waited for. */
const answer_ms = 2_000;

/** The answer to `list`: of the game since 1.13, with `of a max of` or `/`, and of the demo. */
const answer =
  /\bThere are \d{1,6}(?:(?: of a max(?: of)? |\/)\d{1,6})? players online: ?(?<names>.{0,4000})/;

/** The names in a line of the answer to `list`, or null when it is another line. */
export function namesIn(line: string): string[] | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const found = answer.exec(line.replace(/\u001b\[[0-9;:]{0,40}m/g, ''));
  if (!found) return null;
  // chat begins with a name in these brackets, and may say anything
  if (/^(?:\[[^\]]{0,80}\]:? ?){0,4}</.test(line)) return null;
  const names = found
    .groups!.names!.split(/, ?/)
    .map((name) => name.trim())
    .filter(isPlayerName);
  return [...new Set(names)].slice(0, max_named_players);
}

/**
 * Asks a server who is online, by `list`: a status ping names twelve at most. Question and answer do not appear in its console.
 * Null when something else is asked, and without an answer.
 */
export async function askForPlayers(
  console: Pick<Console, 'isAsked' | 'leaveOut' | 'endLeavingOut' | 'writeUnseen'>,
  timeout_ms = answer_ms,
): Promise<string[] | null> {
  if (console.isAsked) return null;
  const { promise, resolve } = Promise.withResolvers<string[] | null>();
  const take = (line: string): boolean => {
    const names = namesIn(line);
    if (!names) return false;
    console.endLeavingOut(take);
    resolve(names);
    return true;
  };
  console.leaveOut(take);
  const timer = setTimeout(resolve, timeout_ms, null);
  try {
    return (await console.writeUnseen('list')) ? await promise : null;
  } finally {
    clearTimeout(timer);
    console.endLeavingOut(take);
  }
}
