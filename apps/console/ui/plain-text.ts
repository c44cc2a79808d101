/** Text of HTML in lines. The parsed document runs and loads nothing. */
export function plainText(html: string): string {
  const lines = html.replace(/<br\b[^>]*>|<\/(?:p|h[1-6]|li|blockquote|div|tr)>/gi, '$&\n');
  const { body } = new DOMParser().parseFromString(lines, 'text/html');
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim();
}
