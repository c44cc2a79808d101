import { isSafeAddress } from './address.ts';
import { elementsOf } from './elements.ts';

/** Pasted HTML with links in place of its pictures: the pages of the site load nothing from elsewhere. */
export function withoutPictures(html: string): string {
  const body = elementsOf(html);
  for (const picture of body.querySelectorAll('img')) picture.replaceWith(...inPlaceOf(picture));
  return body.innerHTML;
}

function inPlaceOf(picture: HTMLImageElement): (string | Element)[] {
  const address = picture.getAttribute('src') ?? '';
  const name = picture.alt.trim();
  const isElsewhere = /^https?:/i.test(address) && isSafeAddress(address);
  if (!isElsewhere || picture.closest('a[href]')) return [name];
  const link = picture.ownerDocument.createElement('a');
  link.href = address;
  link.textContent = name || address;
  return [link];
}
