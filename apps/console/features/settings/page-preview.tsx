import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ConnectionError } from '../../../../packages/client/src/marquee-client.ts';
import { Problem } from '../../../client/problem.ts';
import { useSite } from '../../data/account.ts';
import { Failure, RowsLoading } from '../../ui/states.tsx';

interface PagePreviewProps {
  /** Path of a public page. */
  path: string;
  label: string;
  /** Applies the unsaved changes to the page. */
  change?: (page: Document) => void;
}

/**
 * A public page as visitors see it. Its HTML is shown in a frame of its own, so that pages need not allow being
 * framed; the frame has no scripts, and the policy of the console holds in it. Nothing in it can be used.
 */
export function PagePreview({ path, label, change }: PagePreviewProps) {
  const { revision } = useSite();
  const { data, error, refetch } = useQuery({
    queryKey: ['page', path, revision],
    queryFn: ({ signal }) => readPage(path, signal),
    placeholderData: (before) => before,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keyboard
    <section className="page-preview" aria-label={label} tabIndex={0}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <RowsLoading rows={5} />}
      {data !== undefined && <Frame html={data} label={label} change={change} />}
    </section>
  );
}

/** HTML of a page without scripts and preloads. */
async function readPage(path: string, signal: AbortSignal): Promise<string> {
  const asked = { signal, credentials: 'omit', headers: { accept: 'text/html' } } as const;
  const answer = await fetch(path, asked).catch((error: Error) => {
    // `fetch` throws this without a response.
    throw error instanceof TypeError ? new Problem(new ConnectionError(error.message, { method: 'GET', path })) : error;
  });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const element of page.querySelectorAll('script, link:not([rel=stylesheet])')) element.remove();
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

interface FrameProps {
  html: string;
  label: string;
  change: ((page: Document) => void) | undefined;
}

function Frame({ html, label, change }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [page, setPage] = useState<Document>();
  const height = useHeight(page);
  useEffect(() => {
    if (page) change?.(page);
  }, [page, change]);
  const load = useCallback(() => setPage(frame.current?.contentDocument ?? undefined), []);
  return (
    <iframe ref={frame} title={label} srcDoc={html} sandbox="allow-same-origin" inert height={height} onLoad={load} />
  );
}

/** In pixels, until the page is loaded. */
const FIRST_HEIGHT = 480;
/** In pixels; a longer page is cut. */
const MOST_HEIGHT = 4000;

/** The height of the content of a page. */
function useHeight(page: Document | undefined): number {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  useEffect(() => {
    if (!page) return undefined;
    const measure = () => setHeight(Math.min(Math.ceil(page.body.getBoundingClientRect().height), MOST_HEIGHT));
    const observer = new ResizeObserver(measure);
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page]);
  return height;
}
