/** The text of HTML in lines. The document that is parsed runs and loads nothing. */
export function plainText(html: string): string {
  const lines = html.replace(/<br\s*\/?>|<\/(?:p|li|h[1-6]|blockquote|div|tr)>/gi, '$&\n');
  const { body } = new DOMParser().parseFromString(lines, 'text/html');
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim();
}
