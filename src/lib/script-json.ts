const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * JSON text as it may stand in a script: in a `<script>` element, whatever its type, and as JavaScript. Nothing in it
 * ends the element, opens a comment or a CDATA section, or breaks a line. It is still the same JSON, since these
 * characters occur in its strings only. Nothing else in this program escapes JSON for scripts.
 */
export const scriptJson = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
