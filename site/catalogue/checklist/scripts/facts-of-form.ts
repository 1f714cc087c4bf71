import type { ProjectFacts } from '#db/catalogue/checklist/rules.ts';

/** What the checklist would know of a project if this form of its settings were saved; other forms change nothing. */
export function factsOfForm(stored: ProjectFacts, form: HTMLFormElement): ProjectFacts {
  const fields = new FormData(form);
  if (fields.has('revision')) return ofSettings(stored, form, fields);
  return { ...stored, gallery: galleryOf(stored, form) };
}

function ofSettings(stored: ProjectFacts, form: HTMLFormElement, fields: FormData): ProjectFacts {
  const text = (name: string) =>
    String(fields.get(name) ?? '')
      .replace(/\r\n?/g, '\n')
      .trim();
  const given = <T>(name: string, value: (typed: string) => T, otherwise: T): T =>
    fields.has(name) ? value(text(name)) : otherwise;
  const links = Object.entries(stored.links).map(
    ([name, url]) => [name, given(name, (typed) => typed || null, url)] as const,
  );
  const namesOf = (prefix: string) =>
    [...fields.keys()].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const donations = namesOf('donation_').filter((rest) => /^\d+$/.test(rest));
  return {
    ...stored,
    title: given('title', String, stored.title),
    summary: given('summary', String, stored.summary),
    body: given('body', String, stored.body),
    links: Object.fromEntries(links),
    donations:
      donations.length > 0
        ? donations.map((row) => text(`donation_${row}`)).filter((url) => url !== '')
        : stored.donations,
    license_id: given(
      'license',
      (id) => (id === 'custom' ? `LicenseRef-${text('custom_license')}` : id),
      stored.license_id,
    ),
    license_url: given('license_url', (url) => url || null, stored.license_url),
    environments: given('environment', (environment) => [environment], stored.environments),
    categories: form.querySelector('[name^="tag_"]')
      ? [...new Set([...namesOf('tag_'), ...namesOf('featured_')])]
      : stored.categories,
  };
}

/** New images are stored at once (`data-added` counts them), and at most one image is featured. */
function galleryOf({ gallery }: ProjectFacts, form: HTMLFormElement): ProjectFacts['gallery'] {
  const featured = form.querySelector<HTMLInputElement>('input[name="featured"]');
  return {
    count: gallery.count + Number(form.dataset.added ?? 0),
    featured: featured
      ? featured.checked || (gallery.featured && !featured.defaultChecked)
      : gallery.featured,
  };
}
