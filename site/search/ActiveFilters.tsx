import { useStore } from '@nanostores/react';
import { Chips } from './Chips.tsx';
import type { ResultsProps } from './Results.tsx';
import { $view } from './view.store.ts';

/** The active filters, repeated in the filter sheet. */
export function ActiveFilters({
  first,
  labels,
}: {
  first: Pick<ResultsProps['first'], 'chips' | 'cleared'>;
  labels: ResultsProps['labels'];
}) {
  return <Chips view={useStore($view, { ssr: 'initial' }) ?? first} labels={labels} />;
}
