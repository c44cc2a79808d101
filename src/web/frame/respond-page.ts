import type { HttpRequest, RequestSummary } from '../../http/core/request.ts';
import { emptyResponse, type HttpResponse, ResponseHeaders } from '../../http/core/response.ts';
import { entityTag } from '../../http/output/etag.ts';
import { sendBody } from '../../http/output/send-body.ts';
import { renderDocument } from './document.ts';
import { discoveryHeaders } from './interface-discovery.ts';
import { isFile, isRedirect, type Page, type PageResponse, type Redirect } from './page-response.ts';
import type { Visit } from './visit.ts';

/** Seconds for which shared caches may serve a page without revalidation. */
const SHARED_MAX_AGE = 10;

/**
 * Pages load styles, scripts and images from this server only, except the tiles of a map, and submit forms to this
 * server only.
 */
function contentSecurityPolicy({ config }: Visit, { isEmbedded, hasMap }: Page): string {
  const tiles = hasMap && config.mapTiles ? ` ${config.mapTiles.origin}` : '';
  const frames = isEmbedded ? '*' : "'none'";
  return `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:${tiles}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${frames}`;
}

interface Sent {
  request: HttpRequest;
  summary: RequestSummary;
}

/** Sends a page or file with its headers, and caches it for visitors until the calendar changes. */
export async function respondPage(
  visit: Visit,
  response: PageResponse,
  { request, summary }: Sent,
): Promise<HttpResponse> {
  if (isRedirect(response)) return redirection(response);
  const isPage = !isFile(response);
  summary.route = isPage ? `page ${response.kind}` : 'file';
  const status = isPage ? (response.status ?? 200) : 200;
  const isPersonal = response.isPersonal === true;
  const body = isPage ? renderDocument(visit, response) : response.body;
  const headers = new ResponseHeaders({
    ...(isPage ? pageHeaders(visit, response) : { 'Content-Type': response.type, ...response.headers }),
    'Cache-Control': isPersonal ? 'private, no-store' : `public, max-age=0, s-maxage=${SHARED_MAX_AGE}`,
  });
  for (const cookie of (isPersonal && isPage && response.cookies) || []) headers.append('Set-Cookie', cookie);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (isPersonal || status !== 200) return { status, headers, body: [bytes] };
  const kept = { freshUntil: visit.freshUntil(), showsSeats: visit.showsSeats() };
  const mayCompress = typeof body === 'string';
  return sendBody({ status, headers, body: [bytes], tag: entityTag(bytes), mayCompress, ...kept }, request);
}

function redirection({ redirect, status, cookies = [] }: Redirect): HttpResponse {
  // Browsers read a host after two slashes or backslashes, and skip control characters and spaces.
  const location = `/${redirect.replace(/^[/\\\s]+/, '')}`;
  const isPersonal = status === 303 || status === 307;
  const response = emptyResponse(status, {
    Location: location,
    'Cache-Control': isPersonal ? 'private, no-store' : 'public, max-age=0',
  });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

const pageHeaders = (visit: Visit, page: Page): Record<string, string> => ({
  ...discoveryHeaders(visit.origin),
  ...page.headers,
  ...(page.apiRoot !== undefined && { 'X-TEC-API-ROOT': page.apiRoot }),
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Language': visit.language,
  'Content-Security-Policy': contentSecurityPolicy(visit, page),
  'Referrer-Policy': 'same-origin',
});
