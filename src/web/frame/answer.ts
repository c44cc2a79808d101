import type { Html } from './html.ts';

/** A page of the public face, before its frame is put around it. */
export interface Page {
  /** 200 by default. */
  status?: number;
  /** Besides those of every page. */
  headers?: Readonly<Record<string, string>>;
  /** Title of the window, before the name of the site; absent on the front page. */
  title?: string;
  description: string;
  main: Html;
  /** Class of the body. */
  kind: string;
  /** The picture that other sites show with a link to the page. */
  picture?: { url: string; width: number; height: number; alt: string };
  /** What the page is about, for search engines: values of schema.org. */
  data?: readonly Readonly<Record<string, unknown>>[];
  /** Further elements of the head. */
  head?: Html;
  /** The canonical path, without a language, if it differs from that of the request or says more than its query. */
  canonical?: string;
  /** `noindex, follow` for pages that search engines should not list. */
  robots?: string;
  /** Address of the same things in the REST interface. */
  apiRoot?: string;
  /** Whether browsers may load the tiles of a map. */
  hasMap?: boolean;
  /** Whether the page is for frames on other sites: it has no frame of its own, and links leave it. */
  isEmbedded?: boolean;
  /** Whether the page is for this visitor alone: it is then kept nowhere. */
  isPersonal?: boolean;
  /** Values of `Set-Cookie`, on pages for one visitor. */
  cookies?: readonly string[];
}

/** Another address of the same thing: a path of this site with its language, and maybe a query. */
export interface Redirect {
  redirect: string;
  /** 307: the form is to be posted there again. */
  status: 301 | 302 | 303 | 307;
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
}

/** Something other than a page, such as a feed. */
export interface File {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  /** Whether it is for this visitor alone. */
  isPersonal?: boolean;
}

export type Answer = Page | Redirect | File;

export const isRedirect = (answer: Answer): answer is Redirect => 'redirect' in answer;
export const isFile = (answer: Answer): answer is File => 'body' in answer;
export const isPage = (answer: Answer): answer is Page => !isRedirect(answer) && !isFile(answer);

/** The same address for ever: the old one need not be asked for again. */
export const movedTo = (redirect: string): Redirect => ({ redirect, status: 301 });

/** What a form leads to: the address is asked for by GET. */
export const seeOther = (redirect: string): Redirect => ({ redirect, status: 303 });
