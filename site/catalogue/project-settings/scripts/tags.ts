/** A featured tag is a chosen one: featuring chooses it, and what is no longer chosen is not featured. */
const box = (name: string) =>
  document.querySelector<HTMLInputElement>(`input[type=checkbox][name="${CSS.escape(name)}"]`);

function mirror({ name, checked }: HTMLInputElement): void {
  if (name?.startsWith('featured_') && checked) {
    const tag = box(`tag_${name.slice('featured_'.length)}`);
    if (tag) tag.checked = true;
  }
  if (name?.startsWith('tag_') && !checked) {
    const featured = box(`featured_${name.slice('tag_'.length)}`);
    if (featured) featured.checked = false;
  }
}

document.addEventListener('change', ({ target }) => mirror(target as HTMLInputElement));

// what was clicked before this script ran
for (const one of document.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
  if (one.checked !== one.defaultChecked) mirror(one);

export {};
