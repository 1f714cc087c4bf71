/** A picture that does not load leaves its room and dashed stones, not a torn sheet. */
const known = '.pic, .shot, .face';

const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** The element stays, since islands know it; its class gives it the stones. */
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
// those that failed before this script came
for (const picture of [...document.images])
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) stand(picture);
