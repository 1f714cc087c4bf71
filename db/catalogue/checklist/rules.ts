import type { RefusalCode } from '../../platform/errors.ts';
import {
  chatHosts,
  isHostOf,
  issueHosts,
  noLicenseHosts,
  shortenerHosts,
  sourceHosts,
} from './data/hosts.ts';
import { namesGame, namesTechnical } from './project-name/rules.ts';
import { altMissing, headersLong, imagesHeavy, readableLength, summaryFormatted } from './text/rules.ts';

/** What the checklist knows of a project. */
export interface ProjectFacts {
  status: string;
  title: string;
  summary: string;
  /** Markdown. */
  body: string;
  license_id: string;
  license_url: string | null;
  /** By column: those that a rule names, and every other; null or absent where there is none. */
  links: Readonly<Record<string, string | null>> &
    Partial<Record<'issues_url' | 'source_url' | 'discord_url', string | null>>;
  donations: readonly string[];
  /** Main and additional categories. */
  categories: readonly string[];
  /** How many categories its type offers. */
  categories_offered: number;
  project_types: readonly string[];
  environments: readonly string[];
  has_icon: boolean;
  gallery: { count: number; featured: boolean };
  versions: {
    /** Listed and archived ones. */
    count: number;
    /** Those with one file only. */
    single_file: number;
  };
}

/** Where a member mends it: a page of the project's settings. */
type ChecklistFix =
  | 'versions'
  | 'description'
  | 'gallery'
  | 'environment'
  | 'license'
  | 'general'
  | 'links'
  | 'tags'
  | 'moderation';
type ChecklistLevel = 'required' | 'warning' | 'suggestion';

interface Rule {
  level: ChecklistLevel;
  fix: ChecklistFix;
  /** Whether the project breaks it. */
  broken(project: ProjectFacts): boolean;
}

/** Whether the checklist is shown: what is public already was reviewed. Source: screens §E.1. */
export const isUnpublished = ({ status }: Pick<ProjectFacts, 'status'>): boolean =>
  ['draft', 'rejected', 'withheld'].includes(status);

const minimum_description = 200;
const minimum_summary = 30;
const most_tags = 8;

const isMod = ({ project_types }: ProjectFacts) =>
  project_types.some((type) => type === 'mod' || type === 'modpack');
const needsPicture = ({ project_types, categories }: ProjectFacts) =>
  project_types.includes('shader') ||
  (project_types.includes('resourcepack') &&
    !categories.some((name) => name === 'audio' || name === 'locale'));
const urlsOf = ({ links, donations, license_url }: ProjectFacts): string[] =>
  [...Object.values(links), ...donations, license_url].filter((url) => url != null && url !== '') as string[];
const isCustom = ({ license_id }: ProjectFacts) =>
  license_id.startsWith('LicenseRef-') &&
  !['LicenseRef-All-Rights-Reserved', 'LicenseRef-Unknown'].includes(license_id);
const isCopyleft = ({ license_id }: ProjectFacts) => /\b(A?GPL|LGPL|MPL)-/.test(license_id);
const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * The publishing checklist: what a project needs before it is submitted for review, what a reviewer will ask about, and
 * what helps players to find it. Source: specification §5; screens §E.1.
 */
export const checklistRules = {
  checklist_version: rule('required', 'versions', ({ versions }) => versions.count === 0),
  checklist_description: rule('required', 'description', ({ body }) => body.trim() === ''),
  checklist_gallery: rule(
    'required',
    'gallery',
    (project) => project.gallery.count === 0 && needsPicture(project),
  ),
  checklist_environment: rule(
    'required',
    'environment',
    (project) => isMod(project) && project.versions.count > 0 && project.environments.includes('unknown'),
  ),
  checklist_license: rule('required', 'license', ({ license_id }) =>
    ['', 'LicenseRef-Unknown'].includes(license_id),
  ),
  checklist_license_url: rule('required', 'license', (project) => {
    const { license_url } = project;
    if (!license_url) return isCustom(project);
    return !isWebAddress(license_url) || isHostOf(license_url, noLicenseHosts);
  }),
  checklist_summary_name: rule(
    'required',
    'general',
    ({ title, summary }) => title.trim().toLowerCase() === summary.trim().toLowerCase(),
  ),
  checklist_chat_link: rule('required', 'links', ({ links: { discord_url: _, ...others } }) =>
    Object.values(others).some((url) => url != null && isHostOf(url, chatHosts)),
  ),
  checklist_short_link: rule('required', 'links', (project) =>
    urlsOf(project).some((url) => isHostOf(url, shortenerHosts)),
  ),
  checklist_source: rule(
    'required',
    'links',
    (project) =>
      isCopyleft(project) &&
      project.project_types.some((type) => type === 'mod' || type === 'plugin') &&
      !project.links.source_url &&
      project.versions.single_file > 0,
  ),

  checklist_feedback: rule('warning', 'moderation', ({ status }) =>
    ['rejected', 'withheld'].includes(status),
  ),
  checklist_description_short: rule(
    'warning',
    'description',
    ({ body }) => body.trim() !== '' && readableLength(body) < minimum_description,
  ),
  checklist_headers_long: rule('warning', 'description', ({ body }) => headersLong(body)),
  checklist_images_heavy: rule('warning', 'description', ({ body }) => imagesHeavy(body)),
  checklist_alt_missing: rule('warning', 'description', ({ body }) => altMissing(body)),
  checklist_summary_short: rule(
    'warning',
    'general',
    ({ summary }) => [...summary.trim()].length < minimum_summary,
  ),
  checklist_summary_formatted: rule('warning', 'general', ({ summary }) => summaryFormatted(summary)),
  checklist_name_brand: rule('warning', 'general', ({ title }) => namesGame(title)),
  checklist_name_technical: rule('warning', 'general', ({ title }) => namesTechnical(title)),
  checklist_source_host: rule('warning', 'links', ({ links }) => isElsewhere(links.source_url, sourceHosts)),
  checklist_issues_host: rule('warning', 'links', ({ links }) => isElsewhere(links.issues_url, issueHosts)),
  checklist_chat_host: rule('warning', 'links', ({ links }) => isElsewhere(links.discord_url, chatHosts)),
  checklist_tags_many: rule('warning', 'tags', ({ categories }) => categories.length > most_tags),
  checklist_tags_all: rule(
    'warning',
    'tags',
    ({ categories, categories_offered }) => categories_offered > 1 && categories.length >= categories_offered,
  ),
  checklist_resolutions: rule(
    'warning',
    'tags',
    ({ categories }) => categories.filter((name) => /^\d+x[+-]?$/.test(name)).length > 1,
  ),

  checklist_icon: rule('suggestion', 'general', ({ has_icon }) => !has_icon),
  checklist_featured: rule('suggestion', 'gallery', ({ gallery }) => !gallery.featured),
  checklist_tags: rule('suggestion', 'tags', ({ categories }) => categories.length === 0),
  checklist_links: rule('suggestion', 'links', ({ links }) => Object.values(links).every((url) => !url)),
} as const satisfies Record<string, Rule>;
export type ChecklistRule = keyof typeof checklistRules;

function rule(level: ChecklistLevel, fix: ChecklistFix, broken: (project: ProjectFacts) => boolean): Rule {
  return { level, fix, broken };
}

function isElsewhere(url: string | null | undefined, hosts: readonly string[]): boolean {
  return url != null && url !== '' && !isHostOf(url, hosts);
}

/** One open point of the checklist. */
export interface OpenPoint {
  rule: ChecklistRule;
  level: ChecklistLevel;
  fix: ChecklistFix;
}

const levels: readonly ChecklistLevel[] = ['required', 'warning', 'suggestion'];

/** The rules that a project breaks: required ones first, then warnings, then suggestions. */
export function openPoints(project: ProjectFacts): OpenPoint[] {
  const open = (Object.keys(checklistRules) as ChecklistRule[])
    .filter((name) => checklistRules[name].broken(project))
    .map((name) => ({ rule: name, level: checklistRules[name].level, fix: checklistRules[name].fix }));
  return levels.flatMap((level) => open.filter((point) => point.level === level));
}

const nothing: ProjectFacts = {
  status: 'draft',
  title: '',
  summary: '',
  body: '',
  license_id: '',
  license_url: null,
  links: {},
  donations: [],
  categories: [],
  categories_offered: 0,
  project_types: [],
  environments: [],
  has_icon: false,
  gallery: { count: 0, featured: false },
  versions: { count: 0, single_file: 0 },
};

/** The points of the description alone, which need no other fact: for advice while one is written. */
export const descriptionPoints = (body: string): OpenPoint[] =>
  openPoints({ ...nothing, body }).filter(({ fix }) => fix === 'description');

/** A step that every project of its kind takes, and whether it is taken. */
interface ChecklistStep {
  rule: ChecklistRule;
  done: boolean;
}

/** The steps of a project, those that are done first: each of them lays a stone. */
export function checklistSteps(project: ProjectFacts): ChecklistStep[] {
  const names: ChecklistRule[] = [
    'checklist_version',
    'checklist_description',
    ...(isMod(project) ? (['checklist_environment'] as const) : []),
    'checklist_license',
    ...(needsPicture(project) ? (['checklist_gallery'] as const) : []),
    'checklist_icon',
    'checklist_tags',
    'checklist_links',
  ];
  const steps = names.map((rule) => ({ rule, done: !checklistRules[rule].broken(project) }));
  // the environment comes with the versions
  const known = steps.map((step) =>
    step.rule === 'checklist_environment' && project.versions.count === 0 ? { ...step, done: false } : step,
  );
  return [...known.filter(({ done }) => done), ...known.filter(({ done }) => !done)];
}

/** Why a project may not be submitted for review: its required points that are open, in order. */
export const whyNotSubmit = (project: ProjectFacts): RefusalCode[] =>
  openPoints(project)
    .filter(({ level }) => level === 'required')
    .map(({ rule: name }) => name as RefusalCode);
