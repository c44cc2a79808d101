/** The addresses of orders and tickets, whose last part opens them; also percent-encoded in another address. */
const PAGES = /((?:\/|%2f)(?:order|ticket)(?:\/|%2f)+\d+(?:\/|%2f)+)[^/?#&%\s"'\\<>]+/gi;
/** Parameters of a query that are secrets. */
const PARAMETERS = /\b((?:security_code|api_key|(?:current_)?password|code|token)(?:=|%3d))[^&#\s"'\\<>]+/gi;

/** A text for the log, without the secrets in the addresses that it has. */
export const redactAddresses = (text: string): string =>
  text.replace(PAGES, '$1[redacted]').replace(PARAMETERS, '$1[redacted]');
