import { Mark } from '@tiptap/core';
import { isSafeAddress } from './address.ts';

/** Links with the attributes that the server keeps. Addresses that run something when pressed are no links. */
export const LinkMark = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  keepOnSplit: false,
  addAttributes: () => ({ href: { default: null }, target: { default: null }, rel: { default: null } }),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (link) => isSafeAddress(link.getAttribute('href') ?? '') && null }],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
});
