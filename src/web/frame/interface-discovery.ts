import { Urls } from '../../http/core/urls.ts';
import { type Html, html } from './html.ts';

/** Lets clients discover the interface from the headers or the head of any page. */

const VERSION = 'v1';

/** Link relation to the index of the REST interface, as used by existing clients. */
const INDEX_RELATION = 'https://api.w.org/';

const indexOf = (origin: string): string => new Urls(origin, '/wp-json').root;

/** Headers of every page. */
export function discoveryHeaders(origin: string): Record<string, string> {
  const urls = new Urls(origin);
  return {
    'X-TEC-API-VERSION': VERSION,
    'X-TEC-API-ROOT': urls.rest('events', '/'),
    'X-TEC-API-ORIGIN': origin,
    'X-ET-API-VERSION': VERSION,
    'X-ET-API-ROOT': urls.rest('tickets', '/'),
    'X-ET-API-ORIGIN': origin,
    Link: `<${indexOf(origin)}>; rel="${INDEX_RELATION}"`,
  };
}

/** Same links for the head of every page. */
export const discoveryLinks = (origin: string): Html => html`<link rel="${INDEX_RELATION}" href="${indexOf(origin)}">
<link rel="alternate" type="application/json" href="${new Urls(origin).rest('events', '/')}">
<meta name="tec-api-version" content="${VERSION}">
<meta name="tec-api-origin" content="${origin}">
<meta name="et-api-version" content="${VERSION}">
<meta name="et-api-origin" content="${origin}">`;
