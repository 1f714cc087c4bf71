import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ApiError } from '../../platform/browser/api-client.ts';
import { type Breakdown, type Choice, shownBreakdown } from './choice.ts';
import { periodOf, type RangePeriod } from './ranges.ts';
import { type Figures, loadFigures, loadRows, loadVersionNumbers, most_rows } from './requests.ts';
import type { BreakdownRow } from './series.ts';

export interface Rows {
  by: Breakdown;
  rows: BreakdownRow[];
  /** Numbers of versions by id, as they become known. */
  versions: Record<string, string>;
}
interface AnalyticsState {
  /** What was loaded last; of another choice while the next one is loaded. */
  figures: Figures | null;
  rows: Rows | null;
  problem: ApiError | null;
  isLoading: boolean;
  reload(): void;
}

/** Loads what a choice shows, again when it changes, on `reload`, and when the connection is back. */
export function useAnalytics(choice: Choice, known: readonly string[]): AnalyticsState {
  const { range, projects, compare, metric } = choice;
  const by = shownBreakdown(choice);
  const wanted = projects.length > 0 ? projects.join() : known.join();
  const [asked, setAsked] = useState(0);
  const [figures, setFigures] = useState<Figures | null>(null);
  const [rows, setRows] = useState<Rows | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [isLoading, setLoading] = useState(true);
  const reload = useCallback(() => setAsked((times) => times + 1), []);
  // the time when something was asked: figures and breakdown are of the same period
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them asks anew
  const period = useMemo<RangePeriod>(() => periodOf(range, Date.now()), [range, wanted, asked]);

  useEffect(() => {
    const stop = new AbortController();
    setLoading(true);
    const load = async () => {
      const result = await loadFigures({ compare, range }, period, wanted.split(','), stop.signal);
      if (stop.signal.aborted) return;
      setLoading(false);
      setProblem(result.ok ? null : result.error);
      if (result.ok) setFigures(result.data);
    };
    void load();
    return () => stop.abort();
  }, [compare, range, period, wanted]);

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const result = await loadRows(metric, by, period, wanted.split(','), stop.signal);
      if (stop.signal.aborted) return;
      if (!result.ok) {
        setProblem(result.error);
        return;
      }
      const shown = { by, rows: result.data, versions: {} };
      setRows(shown);
      if (by !== 'version') return;
      const ids = result.data.slice(0, most_rows).flatMap(({ value }) => (value ? [value] : []));
      const versions = await loadVersionNumbers(ids);
      if (!stop.signal.aborted) setRows({ ...shown, versions });
    };
    void load();
    return () => stop.abort();
  }, [metric, by, period, wanted]);

  useEffect(() => {
    if (problem?.status !== 0) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [problem, reload]);

  return { figures, rows, problem, isLoading, reload };
}
