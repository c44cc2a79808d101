const MAX_LENGTH = 60;

/** Text that a page might render as markup: tags, and entities that could hide one. */
const MARKUP_SIGN = /[<>]|&(?=#|[a-z\d]+;|(?:lt|gt|quot|amp))/gi;

const STAND_INS: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };

/**
 * Whether a text is a valid account name: 1 to 60 user-perceived characters. No colon, which ends the name in HTTP
 * Basic; no markup; no control characters; no bidirectional controls, which make names look like others.
 */
export function isAccountName(name: string): boolean {
  if (name.length > 2 * MAX_LENGTH || !name.isWellFormed()) return false;
  const length = [...name].length;
  return (
    length >= 1 && length <= MAX_LENGTH && !/[:\p{Cc}\p{Bidi_Control}]/u.test(name) && name.search(MARKUP_SIGN) < 0
  );
}

/**
 * A name for display. Older names with markup still work for signing in; their special characters are replaced by
 * look-alikes rather than removed, so that no name looks like the name of another account.
 */
export const displayedAccountName = (name: string): string =>
  name.replace(MARKUP_SIGN, (sign) => STAND_INS[sign] ?? sign);
