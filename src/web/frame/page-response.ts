import type { Html } from './html.ts';

/** Page before the common frame is added. */
export interface Page {
  /** 200 by default. */
  status?: number;
  /** Sent in addition to the common headers. */
  headers?: Readonly<Record<string, string>>;
  /** Title of the window, before the name of the site; absent on the front page. */
  title?: string;
  description: string;
  main: Html;
  /** CSS class of the body. */
  kind: string;
  /** Image of link previews. */
  picture?: { url: string; width: number; height: number; alt: string };
  /** Structured data of schema.org. */
  data?: readonly Readonly<Record<string, unknown>>[];
  /** Additional elements of the head. */
  head?: Html;
  /** Canonical path, without a language, if it differs from the requested one or includes a query. */
  canonical?: string;
  /** `noindex, follow` for pages that search engines should not list. */
  robots?: string;
  /** Address of the same data in the REST interface. */
  apiRoot?: string;
  /** True if browsers may load map tiles. */
  hasMap?: boolean;
  /** Embedded: no header or footer; links open outside the iframe. */
  isEmbedded?: boolean;
  /** Colour scheme; by default, the one of the device. */
  scheme?: 'light' | 'dark' | undefined;
  /** True for a page for this visitor alone; it is not cached. */
  isPersonal?: boolean;
  /** Values of `Set-Cookie`, on personal pages only. */
  cookies?: readonly string[];
}

/** Redirect to a path of this site, with its language and optionally a query. */
export interface Redirect {
  redirect: string;
  /** With 307 the browser posts the form again. */
  status: 301 | 302 | 303 | 307;
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
}

/** Content other than a page, such as a feed. */
export interface File {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  /** True if it is for this visitor alone. */
  isPersonal?: boolean;
}

/** Response of a page: the page itself, a redirect, or a file. */
export type PageResponse = Page | Redirect | File;

export const isRedirect = (response: PageResponse): response is Redirect => 'redirect' in response;
export const isFile = (response: PageResponse): response is File => 'body' in response;
export const isPage = (response: PageResponse): response is Page => !isRedirect(response) && !isFile(response);

/** Permanent redirect; clients may replace the old address. */
export const movedTo = (redirect: string): Redirect => ({ redirect, status: 301 });

/** Redirect after a form: the browser requests the address by GET. */
export const seeOther = (redirect: string): Redirect => ({ redirect, status: 303 });
