/** URLs of orders, tickets and RSVPs, whose last segment is a secret; also percent-encoded in another URL. */
const PAGES = /((?:\/|%2f)(?:order|ticket|reply)(?:\/|%2f)+\d+(?:\/|%2f)+)[^/?#&%\s"'\\<>]+/gi;
/** Pages whose only segment is a secret. */
const TOKEN_PAGES = /((?:\/|%2f)unsubscribe(?:\/|%2f)+)[^/?#&%\s"'\\<>]+/gi;
/** Secret query parameters. */
const PARAMETERS = /\b((?:security_code|api_key|(?:current_)?password|code|token)(?:=|%3d))[^&#\s"'\\<>]+/gi;

/** Removes secrets in URLs from a text for the log. */
export const redactAddresses = (text: string): string =>
  text.replace(PAGES, '$1[redacted]').replace(TOKEN_PAGES, '$1[redacted]').replace(PARAMETERS, '$1[redacted]');
