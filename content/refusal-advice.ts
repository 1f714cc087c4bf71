import sections from './refusal-advice.json' with { type: 'json' };

/** What to do about every refusal, for writers of programs, in the sections of `/docs/api/errors`; in English only. */
export const refusalAdvice: ReadonlyArray<{
  id: string;
  title: string;
  advice: ReadonlyArray<{
    /** A sentence; code stands between backquotes. */
    do: string;
    codes: readonly string[];
  }>;
}> = sections;
