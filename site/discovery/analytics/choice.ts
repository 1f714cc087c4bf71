import { type RangeName, rangeNames } from './ranges.ts';

/** What somebody chose to see; it stands in the query of the address. */
export const metrics = ['downloads', 'views', 'playtime'] as const;
export type Metric = (typeof metrics)[number];
export const breakdowns = ['project', 'version', 'loader', 'game_version', 'country', 'source'] as const;
export type Breakdown = (typeof breakdowns)[number];
export const chartForms = ['line', 'bar', 'table'] as const;
type ChartForm = (typeof chartForms)[number];

/** By what a metric can be told apart, as the API calls it. Source: api-v3 §3.13. */
export const fields: Record<Metric, Partial<Record<Breakdown, string>>> = {
  downloads: {
    project: 'project_id',
    version: 'version_id',
    loader: 'loader',
    game_version: 'game_version',
    country: 'country',
    source: 'user_agent',
  },
  views: { project: 'project_id', country: 'country', source: 'domain' },
  playtime: {
    project: 'project_id',
    version: 'version_id',
    loader: 'loader',
    game_version: 'game_version',
    country: 'country',
  },
};

export interface Choice {
  range: RangeName;
  metric: Metric;
  /** Ids of projects; empty for all. */
  projects: readonly string[];
  by: Breakdown;
  form: ChartForm;
  /** Whether the period before is shown too. */
  compare: boolean;
  /** One line for all projects. */
  total: boolean;
}

const most_projects = 100;
const oneOf = <T extends string>(known: readonly T[], value: string | null, otherwise: T): T =>
  known.find((one) => one === value) ?? otherwise;

/** What is shown at first: of one project its versions, of several the projects. */
export const firstChoice = (projects: number): Choice => ({
  range: '30-days',
  metric: 'downloads',
  projects: [],
  by: projects === 1 ? 'version' : 'project',
  form: 'line',
  compare: true,
  total: false,
});

/** Reads a query; what is not known, also of projects, counts as absent. */
export function parseChoice(query: URLSearchParams, known: readonly string[]): Choice {
  const first = firstChoice(known.length);
  const named = new Set((query.get('projects') ?? '').split(',').slice(0, most_projects));
  return {
    range: oneOf(rangeNames, query.get('range'), first.range),
    metric: oneOf(metrics, query.get('metric'), first.metric),
    projects: known.filter((id) => named.has(id)).slice(0, most_projects),
    by: oneOf(breakdowns, query.get('by'), first.by),
    form: oneOf(chartForms, query.get('form'), first.form),
    compare: query.get('compare') !== '0',
    total: query.get('total') === '1',
  };
}

/** The query of a choice after `before`, of which all that is not about the choice stays. Without what is shown at first. */
export function queryOf(choice: Choice, projects: number, before: URLSearchParams): string {
  const first = firstChoice(projects);
  const query = new URLSearchParams(before);
  const set = (name: string, value: string | null) => (value ? query.set(name, value) : query.delete(name));
  for (const name of ['range', 'metric', 'by', 'form'] as const)
    set(name, choice[name] === first[name] ? null : choice[name]);
  set('projects', choice.projects.join(','));
  set('compare', choice.compare ? null : '0');
  set('total', choice.total ? '1' : null);
  const text = query.toString().replaceAll('%2C', ',');
  return text && `?${text}`;
}

/** The breakdown that is shown: the chosen one, or the first that there is of the metric. */
export const shownBreakdown = ({ metric, by }: Pick<Choice, 'metric' | 'by'>): Breakdown =>
  fields[metric][by] ? by : 'country';
