import { useState } from 'react';
import type { ApiError } from '../../platform/browser/api-client.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

type Problem = readonly [title: string, text: string] | null;

/** What a dialog of staff was refused, shown in it: for `problem` of the dialog and `refused` of the mutation. */
export function useRefusal() {
  const { t } = useMessages();
  const [problem, setProblem] = useState<Problem>(null);
  return {
    problem,
    clear: () => setProblem(null),
    refused: ({ description }: ApiError): boolean => {
      setProblem([t('nodes.failed'), description || t('nodes.lost_text')]);
      return true;
    },
  };
}
