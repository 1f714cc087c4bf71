/** An image that fails to load is replaced by dashed stones of the same size. */
const known = '.pic, .shot, .face, .banner';

const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

/** The element stays, since islands manage it; a class shows the placeholder. */
function stand(picture: HTMLImageElement): void {
  if (!picture.matches(known) || picture.src === nothing) return;
  picture.removeAttribute('srcset');
  picture.src = nothing;
  picture.classList.add('none');
}

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement) stand(target);
  },
  { capture: true },
);
// images that failed before this script was loaded
for (const picture of [...document.images])
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) stand(picture);
