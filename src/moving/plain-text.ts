/** Plain text of a file as HTML: paragraphs and lines. Brackets are no shortcodes there. */
export function htmlOfText(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return paragraphs.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`).join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '[': '&#91;',
  ']': '&#93;',
};
const escaped = (text: string): string => text.replace(/[&<>[\]]/g, (character) => ENTITIES[character] ?? character);

/** Whether a text is a web address. */
export const isWebAddress = (text: string): boolean =>
  text.length <= 2000 && /^https?:\/\/[^\s"<>]+$/i.test(text) && URL.canParse(text);
