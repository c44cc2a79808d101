import type { Html } from '../frame/html.ts';

/** Characters that XML 1.0 forbids, written or escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * XML document from a template, which escapes the same five characters as HTML. It has no CDATA sections that a text
 * could end.
 */
export const xmlDocument = ({ text }: Html): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${text.toWellFormed().replace(FORBIDDEN, '')}\n`;
