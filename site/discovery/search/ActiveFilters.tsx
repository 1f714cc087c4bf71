import { useStore } from '@nanostores/react';
import type { IslandMessages } from '#content/island-messages.ts';
import { MessagesProvider } from '../../platform/text/MessagesContext.tsx';
import { Chips } from './Chips.tsx';
import type { ResultsProps } from './Results.tsx';
import { $view } from './view.store.ts';

interface ActiveFiltersProps {
  first: Pick<ResultsProps['first'], 'chips' | 'cleared'>;
  messages: IslandMessages;
}

/** The active filters, repeated in the filter sheet. */
export function ActiveFilters({ first, messages }: ActiveFiltersProps) {
  return (
    <MessagesProvider messages={messages}>
      <Chips view={useStore($view, { ssr: 'initial' }) ?? first} />
    </MessagesProvider>
  );
}
