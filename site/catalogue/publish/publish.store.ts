import { atom } from 'nanostores';
import {
  type Draft,
  emptyFields,
  type Field,
  type PickedFile,
  type ProblemPlace,
  separable,
  type VersionFields,
  withReading,
} from './draft.ts';

/** What the page says about its project and this installation. */
export interface PublishPage {
  project: { id: string; title: string; path: string };
  loader_groups: ReadonlyArray<{
    label: string;
    /** Whether the project is of this kind. */
    fits: boolean;
    loaders: ReadonlyArray<{ name: string; label: string; environment: boolean }>;
  }>;
  /** Loaders that a modpack can be for. */
  pack_loaders: readonly string[];
  /** Whether the project is a modpack and nothing else. */
  only_packs: boolean;
  /** Newest first. */
  game_versions: ReadonlyArray<[version: string, type: string]>;
  environments: ReadonlyArray<{ name: string; label: string }>;
  max_file_bytes: number;
  /** Whether the project has none yet, and the user may set one. */
  lacks_license: boolean;
  /** Of the newest version: what a new one begins with. */
  environment: string;
}

/** What the server said, or would say, by the place where it is shown. */
type Problems = Partial<Record<ProblemPlace, string>>;

export interface PublishState {
  drafts: readonly Draft[];
  /** The key of the draft in the form. */
  current: string;
  phase: 'editing' | 'waiting' | 'publishing' | 'done';
  /** What the project gets with its version. */
  license: string | null;
  /** By the key of their draft. */
  problems: Readonly<Record<string, Problems>>;
}

let made = 0;
export const newKey = (): string => `k${++made}`;

const newDraft = (fields: Partial<VersionFields> = {}): Draft => ({
  key: newKey(),
  files: [],
  fields: { ...emptyFields, ...fields },
  touched: new Set(),
});
const first = newDraft();
export const $publish = atom<PublishState>({
  drafts: [first],
  current: first.key,
  phase: 'editing',
  license: null,
  problems: {},
});
/** Changes the state of the form. */
export const set = (change: Partial<PublishState>): void => $publish.set({ ...$publish.get(), ...change });
export const setPhase = (phase: PublishState['phase']): void => set({ phase });

export const currentDraft = ({ drafts, current }: PublishState): Draft =>
  drafts.find(({ key }) => key === current) ?? drafts[0]!;
export const allFiles = ({ drafts }: PublishState): PickedFile[] => drafts.flatMap(({ files }) => files);

export const changeDraft = (key: string, change: (draft: Draft) => Draft): void =>
  set({ drafts: $publish.get().drafts.map((draft) => (draft.key === key ? change(draft) : draft)) });

/** Sets a field of the current draft, as the user does: no manifest changes it any more. */
export function setField<F extends Field>(field: F, value: VersionFields[F]): void {
  const { current, problems } = $publish.get();
  changeDraft(current, (draft) => ({
    ...draft,
    fields: { ...draft.fields, [field]: value },
    touched: new Set([...draft.touched, field]),
  }));
  const { [field]: _, ...others } = problems[current] ?? {};
  setProblems(current, others);
}

export const setProblems = (key: string, problems: Problems): void =>
  set({ problems: { ...$publish.get().problems, [key]: problems } });

export const showDraft = (key: string): void => set({ current: key });

/** Makes a file the one that players download: it is the first without a type. */
export function makePrimary(key: string): void {
  const { current } = $publish.get();
  changeDraft(current, (draft) => ({
    ...draft,
    files: [
      ...draft.files.filter((file) => file.key === key).map((file) => ({ ...file, file_type: null })),
      ...draft.files.filter((file) => file.key !== key),
    ],
  }));
}

/** One version for each file that can be one; the other files stay with the first. */
export function separateFiles(): void {
  const draft = currentDraft($publish.get());
  const [primary, ...others] = separable(draft.files);
  const moved = new Set(others.map(({ key }) => key));
  const drafts = others.map((file): Draft => {
    // what is the same in all of them is written once; what a manifest says is its own
    const { changelog, status, release_at, featured, environment } = draft.fields;
    const next = newDraft({ changelog, status, release_at, featured, environment });
    return { ...next, files: [{ ...file, file_type: null }], fields: withReading(next, file.reading) };
  });
  const kept = { ...draft, files: draft.files.filter(({ key }) => !moved.has(key)) };
  set({
    drafts: [{ ...kept, fields: withReading(kept, primary?.reading ?? null) }, ...drafts],
    current: draft.key,
  });
}

/** All files in one version again, with the fields of the first. */
export function joinFiles(): void {
  const [draft, ...others] = $publish.get().drafts;
  const files = [...draft!.files, ...others.flatMap((one) => one.files)];
  set({ drafts: [{ ...draft!, files }], current: draft!.key, problems: {} });
}
