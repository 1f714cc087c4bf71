import type { MessageKey } from '#content/messages.ts';
import type { Flag } from './flags.ts';

/** The name and description of each flag, in the order of the page. */
export const flagLabels: Record<Flag, readonly [name: MessageKey, does: MessageKey]> = {
  developerMode: ['flags.developer_mode', 'flags.developer_mode_text'],
  pageTransitions: ['flags.page_transitions', 'flags.page_transitions_text'],
  relativeDates: ['flags.relative_dates', 'flags.relative_dates_text'],
  singleKeyShortcuts: ['flags.single_keys', 'flags.single_keys_text'],
  messagesAtStart: ['flags.messages_at_start', 'flags.messages_at_start_text'],
  reloadOnNewBuild: ['flags.new_build', 'flags.new_build_text'],
};
