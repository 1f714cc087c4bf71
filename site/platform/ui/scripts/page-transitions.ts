import { $flags } from '../../flags/flags.store.ts';

/**
 * Skips the view transition between pages when the visitor turned it off. Source: specification §9 (page transition).
 */
addEventListener('pageswap', ({ viewTransition }) => {
  if (!$flags.get().pageTransitions) viewTransition?.skipTransition();
});
