/** HTML as the body of a document of its own, in which nothing is loaded and nothing runs. */
export const elementsOf = (html: string): HTMLElement =>
  new DOMParser().parseFromString(`<!doctype html><body>${html}`, 'text/html').body;
