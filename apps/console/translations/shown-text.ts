/** What a text with markup says, a paragraph a line. */
export function shownText(html: string): string {
  const lines = html.replace(/<br\b[^>]*>|<\/(?:p|h[1-6]|li|blockquote|div|tr)>/gi, '$&\n');
  return new DOMParser().parseFromString(lines, 'text/html').body.textContent.trim();
}
