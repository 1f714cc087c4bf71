import { slugFromName } from '#db/projects/slug-from-name.ts';

/** The address of a new project follows its name until it is edited by hand, and its type says how the address begins. */
const name = document.querySelector<HTMLInputElement>('[name=name]');
const slug = document.querySelector<HTMLInputElement>('[name=slug]');
const prefix = document.querySelector<HTMLElement>('[data-prefix]');

if (name && slug) {
  const follows = () => slug.value === '' || slug.value === slugFromName(before);
  let before = name.value;
  name.addEventListener('input', () => {
    if (follows()) slug.value = slugFromName(name.value);
    before = name.value;
  });
  slug.addEventListener('change', () => {
    if (slug.value === '') slug.value = slugFromName(name.value);
  });
}
for (const radio of document.querySelectorAll<HTMLInputElement>('[name=type]'))
  radio.addEventListener('change', () => {
    if (prefix) prefix.textContent = prefix.textContent!.replace(/[^/]+\/$/, `${radio.value}/`);
  });
