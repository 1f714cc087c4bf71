import { computed } from 'nanostores';
import { type PropertyProblem, whyNotProperty } from '#db/hosting/servers/properties/rules.ts';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import type { Result } from '../../../shared/request.ts';
import { panelForm } from '../../core/form.ts';
import { panelResource } from '../../core/resource.ts';

/** The properties of the open panel, and what their owner has typed and not saved yet. */

/** The file; what was typed stays when it is loaded again. */
export const {
  $data: $loaded,
  $problem,
  load: loadProperties,
} = panelResource({
  event: 'properties.show',
  read(loaded): Result<'properties.show'> {
    propertiesForm.$refused.set(null);
    for (const { key, value } of loaded.properties) if ($drafts.get()[key] === value) undoDraft(key);
    return loaded;
  },
});
type Values = Readonly<Record<string, string>>;
export const propertiesForm = panelForm({
  $data: $loaded,
  draftOf: (): { values: Values } => ({ values: {} }),
  event: 'properties.change',
  read: (loaded) => loaded,
  repeatable: false,
});
const none: Values = {};
/** Values that differ from the file, by key. */
export const $drafts = computed(propertiesForm.$draft, (draft) => draft?.values ?? none);

/** Types a value; one that the file has already is no change. */
export function setDraft({ key, value, default: usual }: PropertyView, typed: string): void {
  if (typed === (value ?? usual ?? '')) undoDraft(key);
  else propertiesForm.edit({ values: { ...$drafts.get(), [key]: typed } });
}

/** Takes back what was typed for a key. */
export function undoDraft(key: string): void {
  const { [key]: _, ...rest } = $drafts.get();
  propertiesForm.edit({ values: rest });
}

/** What is wrong with a value that was typed, or with the one in the file. */
export const problemOf = ({ key, problem }: PropertyView, drafts: Values): PropertyProblem | null =>
  key in drafts ? whyNotProperty(key, drafts[key]!) : problem;

/** Writes what was typed. Gives whether it was saved. */
export async function saveProperties(): Promise<boolean> {
  const etag = $loaded.get()?.etag;
  return etag !== undefined && (await propertiesForm.save({ etag, values: { ...$drafts.get() } }));
}

/** The keys that match a search, by key or by what they do. */
export function matching(
  properties: readonly PropertyView[],
  query: string,
  about: (key: string) => string,
): PropertyView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return properties.filter(({ key }) => {
    const text = `${key} ${key.replaceAll('-', ' ')} ${about(key)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
