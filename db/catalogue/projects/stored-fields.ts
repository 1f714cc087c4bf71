import { z } from 'zod';
import { httpsUrl, oneLineText } from '../../platform/shape.ts';
import type { Permission } from '../teams/rules.ts';
import { limits } from './limits.ts';

/** One stored project field that members set; its key in the table is its column. */
interface StoredField {
  /** Schema for create and edit. */
  input: z.ZodType<string>;
  /** Schema for edit, where it differs. */
  edit_input?: z.ZodType<string>;
  /** Required on create; `shape.ts` lists such a field in its position in the request. */
  required?: true;
  permission: Permission;
  /** Whether null clears the value; else null keeps it. */
  clearable: boolean;
  /** `field`: v2 accepts and returns it under its column name; `input`: v2 accepts it; null: v3 only. */
  v2: 'field' | 'input' | null;
  /**
   * Its name in v3, or its platform in `link_urls`: links are in the settings, in the publishing checklist and in what
   * reviewers compare.
   */
  v3: { name: string } | { link: string };
  /** Whether the dashboard edits this link of several projects at once. */
  bulk?: boolean;
  /** Part of the search document; `filter` is its filter key in searches, compared as text without case. */
  search?: { filter: string | null };
}

const link = <const Platform extends string>(platform: Platform) =>
  ({
    input: httpsUrl,
    permission: 'EDIT_DETAILS',
    clearable: true,
    v2: 'field',
    v3: { link: platform },
    bulk: true,
  }) as const;

/**
 * Every stored field that members set as one value. Row, create, edit, both APIs, the search document and every
 * list of links are derived from it; links are listed in this order. Source: api-v2 §1.7, §2.1, §4.1, §4.2; api-behaviours §7.3, §7.4.
 */
export const storedFields = {
  title: {
    input: oneLineText(3, limits.title),
    required: true,
    permission: 'EDIT_DETAILS',
    clearable: false,
    v2: 'field',
    v3: { name: 'name' },
    search: { filter: 'name' },
  },
  description: {
    input: oneLineText(3, limits.description),
    edit_input: oneLineText(3, limits.description_edit),
    required: true,
    permission: 'EDIT_DETAILS',
    clearable: false,
    v2: 'field',
    v3: { name: 'summary' },
    search: { filter: null },
  },
  issues_url: link('issues'),
  source_url: link('source'),
  wiki_url: link('wiki'),
  discord_url: link('discord'),
  site_url: { ...link('site'), v2: null, bulk: false },
  store_url: { ...link('store'), v2: null, bulk: false },
  license_url: {
    input: httpsUrl,
    permission: 'EDIT_DETAILS',
    clearable: true,
    v2: 'input',
    v3: { name: 'license_url' },
  },
} as const satisfies Record<string, StoredField>;

type Fields = typeof storedFields;
type Column = keyof Fields;
/** The columns whose fields match `Part`. */
type ColumnsWith<Part> = { [C in Column]: Fields[C] extends Part ? C : never }[Column];
type RequiredColumn = ColumnsWith<{ required: true }>;
type Value<C extends Column> = C extends RequiredColumn ? string : string | null;
export type LinkColumn = ColumnsWith<{ v3: { link: string } }>;
export type BulkLinkColumn = ColumnsWith<{ bulk: true }>;
type AcceptedColumn = ColumnsWith<{ v2: 'field' | 'input' }>;
type ShownColumn = Exclude<ColumnsWith<{ v2: 'field' }>, RequiredColumn>;
type SearchColumn = ColumnsWith<{ search: object }>;
type OptionalInput = z.ZodOptional<z.ZodNullable<z.ZodType<string>>>;

const entries = Object.entries(storedFields) as Array<[Column, StoredField]>;
const columnsWhere = <C extends Column>(test: (field: StoredField) => boolean): readonly C[] =>
  entries.filter(([, field]) => test(field)).map(([column]) => column as C);
const mapped = <C extends Column, Mapped>(columns: readonly C[], map: (column: C) => Mapped) =>
  Object.fromEntries(columns.map((column) => [column, map(column)])) as Record<C, Mapped>;

export const storedColumns = columnsWhere<Column>(() => true);
export type StoredColumns = { [C in Column]: Value<C> };

const acceptedColumns = columnsWhere<AcceptedColumn>(({ v2 }) => v2 !== null);
const shownColumns = columnsWhere<ShownColumn>(({ v2, required }) => v2 === 'field' && !required);

/** The columns of a new project from `data`; missing ones are null. */
export const acceptedValues = (data: { [C in AcceptedColumn]?: string | null | undefined }) =>
  mapped(acceptedColumns, (column) => data[column] ?? null);

/** The columns that an edit changes; null counts where it may clear. */
export const changedColumns = (change: { [C in AcceptedColumn]?: string | null | undefined }) =>
  mapped(
    acceptedColumns.filter((column) => {
      const value = change[column];
      return value !== undefined && (value !== null || storedFields[column].clearable);
    }),
    (column) => change[column],
  );

/** The permissions needed to change these columns. */
export const permissionsFor = (columns: readonly string[]): ReadonlySet<Permission> =>
  new Set(columns.map((column) => storedFields[column as Column].permission));

/** v2 schema of optional fields in create and edit. */
export const optionalInputs = mapped(
  columnsWhere<Exclude<AcceptedColumn, RequiredColumn>>(({ v2, required }) => v2 !== null && !required),
  (column): OptionalInput => storedFields[column].input.nullish(),
);

/** Optional fields of v2 responses, with their schema. */
export const shownValues = (row: StoredColumns) => mapped(shownColumns, (column) => row[column]);
export const shownShapes = mapped(shownColumns, () => z.string().nullable());

/** The links, and those that the dashboard edits for several projects, in list order. */
export const storedLinks = columnsWhere<LinkColumn>(({ v3 }) => 'link' in v3);
export const bulkLinks = columnsWhere<BulkLinkColumn>(({ bulk }) => bulk === true);
export const mapLinks = <Mapped>(map: (column: LinkColumn) => Mapped) => mapped(storedLinks, map);
/** Its name in v3, in forms and in the keys of texts. */
export const linkPlatform = <C extends LinkColumn>(column: C): Fields[C]['v3']['link'] =>
  storedFields[column].v3.link;

/** The column of each link platform, in list order. */
export const linkColumns: ReadonlyMap<string, LinkColumn> = new Map(
  storedLinks.map((column) => [linkPlatform(column), column]),
);

/** Columns that v2 returns and v3 has in `link_urls`. */
export type V2OnlyColumn = Extract<LinkColumn, ShownColumn>;
export const v2OnlyColumns = columnsWhere<V2OnlyColumn>(({ v2, v3 }) => v2 === 'field' && 'link' in v3);

/** Column -> name in v3, where they differ. */
export const v3Names: Readonly<Record<string, string>> = Object.fromEntries(
  entries.flatMap(([column, { v3 }]) => ('name' in v3 && v3.name !== column ? [[column, v3.name]] : [])),
);

/** v3 schema of optional PATCH fields that are not links. */
export const optionalV3Inputs = Object.fromEntries(
  entries.flatMap(([, { v3, required, input }]) =>
    'name' in v3 && !required ? [[v3.name, input.nullish()]] : [],
  ),
) as Record<string, OptionalInput>;

/** Columns of the search document; null values are left out. */
export const searchColumns = columnsWhere<SearchColumn>(({ search }) => search !== undefined);
export type SearchColumns = { [C in Extract<SearchColumn, RequiredColumn>]: string } & {
  [C in Exclude<SearchColumn, RequiredColumn>]?: string | null;
};
export const searchValues = (row: SearchColumns): SearchColumns =>
  mapped(
    searchColumns.filter((column) => row[column] != null),
    (column) => row[column]!,
  );

/** Filter key of searches -> the column whose text it compares. */
export const searchFilters: ReadonlyMap<string, SearchColumn> = new Map(
  entries.flatMap(([column, { search }]) =>
    search?.filter ? [[search.filter, column as SearchColumn] as const] : [],
  ),
);
