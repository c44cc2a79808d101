import { getSchema } from '@tiptap/core';
import { type Node, DOMParser as Parser, DOMSerializer as Printer } from '@tiptap/pm/model';
import { isSafeAddress } from './address.ts';
import { canonical, elementsOf } from './canonical.ts';
import { EXTENSIONS } from './extensions.ts';

const schema = getSchema(EXTENSIONS);
const parser = Parser.fromSchema(schema);
const printer = Printer.fromSchema(schema);

/** The text that the editor has of HTML. */
export const parse = (html: string): Node => parser.parse(elementsOf(html));

/** The HTML of a text; empty for a text without content. */
export function print(text: Node): string {
  if (text.childCount === 1 && text.firstChild?.type.name === 'paragraph' && text.content.size === 2) return '';
  const body = elementsOf('');
  printer.serializeFragment(text.content, { document: body.ownerDocument }, body);
  for (const paragraph of body.querySelectorAll('li > p:first-child:not([class], [dir], [lang], [title])'))
    if (isOnlyText(paragraph)) paragraph.replaceWith(...paragraph.childNodes);
  return body.innerHTML;
}

/** Whether nothing but lists follows a paragraph of a list item, which then needs no paragraph. */
function isOnlyText({ nextElementSibling: next }: Element): boolean {
  return next === null || (/^[ou]l$/.test(next.localName) && isOnlyText(next));
}

/** Whether the editor can show and print HTML without losing anything of it. */
export const isKept = (html: string): boolean => canonical(print(parse(html))) === canonical(html);

/** Names of the elements and attributes that the editor would lose, such as `<table>` and `style`. */
export function lostOf(html: string): string[] {
  const left = namesIn(print(parse(html)));
  return [...namesIn(html)].filter((name) => !left.has(name)).sort();
}

function namesIn(html: string): Set<string> {
  const elements = [...elementsOf(html).querySelectorAll('*')];
  return new Set(
    elements.flatMap((element) => [
      `<${{ b: 'strong', i: 'em' }[element.localName] ?? element.localName}>`,
      ...element.getAttributeNames(),
    ]),
  );
}

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
