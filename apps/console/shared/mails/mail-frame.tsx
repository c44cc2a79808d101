import { useEffect, useMemo, useRef, useState } from 'react';

/** In pixels. */
const FIRST_HEIGHT = 320;
const MOST_HEIGHT = 6000;

/** A mail without what the policy of the console refuses, and the styles to apply instead. */
interface Prepared {
  html: string;
  /** Declarations of the elements, by their number. */
  styles: readonly string[];
  sheet: string;
}

const UNSHOWN = 'script, style, template, link, meta, base, object, embed, iframe';

/**
 * Takes inline styles out of a mail: the policy of the console allows none in its HTML, but those that scripts set.
 * Pictures within a mail are not part of its text.
 */
function prepare(mail: string): Prepared {
  // A parser would complain of styles, too.
  const inert = mail
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(' style=', ' data-style='))
    .replaceAll(/<(\/?)style\b/gi, '<$1template');
  const page = new DOMParser().parseFromString(inert, 'text/html');
  const sheet = [...page.querySelectorAll('template')].map(({ content }) => content.textContent ?? '').join('\n');
  for (const element of page.querySelectorAll(UNSHOWN)) element.remove();
  for (const picture of page.querySelectorAll('img')) picture.removeAttribute('src');
  const styles = [...page.querySelectorAll('[data-style]')].map((element, index) => {
    const declarations = element.getAttribute('data-style') ?? '';
    element.setAttribute('data-style', String(index));
    return declarations;
  });
  return { html: `<!doctype html>${page.documentElement.outerHTML}`, styles, sheet };
}

function applyStyles(page: Document, { styles, sheet }: Prepared): void {
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = styles[Number(element.getAttribute('data-style'))] ?? '';
  const view = page.defaultView as (Window & typeof globalThis) | null;
  if (!view) return;
  const adopted = new view.CSSStyleSheet();
  adopted.replaceSync(sheet);
  page.adoptedStyleSheets = [adopted];
  const { clientWidth, scrollWidth } = page.documentElement;
  // Wider than a narrow panel, as codes are.
  if (scrollWidth > clientWidth) page.body.style.zoom = String(clientWidth / scrollWidth);
}

/** The HTML of a mail in a frame of its own, without scripts. Nothing in it can be used; the text is beside it. */
export function MailFrame({ html, label }: { html: string; label: string }) {
  const prepared = useMemo(() => prepare(html), [html]);
  const frame = useRef<HTMLIFrameElement>(null);
  const [page, setPage] = useState<Document>();
  const [height, setHeight] = useState(FIRST_HEIGHT);
  useEffect(() => {
    if (!page) return undefined;
    applyStyles(page, prepared);
    const measure = () => setHeight(Math.min(Math.ceil(page.body.getBoundingClientRect().height), MOST_HEIGHT));
    const observer = new ResizeObserver(measure);
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page, prepared]);
  return (
    <div className="mail-frame">
      <iframe
        ref={frame}
        title={label}
        srcDoc={prepared.html}
        sandbox="allow-same-origin"
        inert
        height={height}
        onLoad={() => setPage(frame.current?.contentDocument ?? undefined)}
      />
    </div>
  );
}
