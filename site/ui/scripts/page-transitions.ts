import { $flags } from '../../flags/flags.store.ts';

/** Who wants no fade from page to page gets none. Source: specification §9 (page transition). */
addEventListener('pageswap', ({ viewTransition }) => {
  if (!$flags.get().pageTransitions) viewTransition?.skipTransition();
});
