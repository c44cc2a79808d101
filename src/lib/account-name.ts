const MAX_LENGTH = 60;

/** What pages that show a name might take for markup: tags, and entities that could hide one. */
const MARKUP_SIGN = /[<>]|&(?=#|[a-z\d]+;|(?:lt|gt|quot|amp))/gi;

const STAND_INS: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };

/**
 * Whether a text may be the name of an account: 1 to 60 characters as people count them. No colon, which ends the name in
 * HTTP Basic; nothing that could be markup; no control characters; none that turn the direction of writing, which make
 * names look like others.
 */
export function isAccountName(name: string): boolean {
  if (name.length > 2 * MAX_LENGTH || !name.isWellFormed()) return false;
  const length = [...name].length;
  return (
    length >= 1 && length <= MAX_LENGTH && !/[:\p{Cc}\p{Bidi_Control}]/u.test(name) && name.search(MARKUP_SIGN) < 0
  );
}

/**
 * A name as it is shown. Names that were given before markup was refused keep working to sign in; their signs are shown
 * as look-alikes, not left out, so that no name looks like that of another account.
 */
export const shownAccountName = (name: string): string => name.replace(MARKUP_SIGN, (sign) => STAND_INS[sign] ?? sign);
