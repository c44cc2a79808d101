import { type ReactNode, useEffect } from 'react';
import { useSite } from '../../data/account.ts';
import { t } from '../../i18n/texts.ts';

interface PageProps {
  /** Heading of the page and title of the tab. */
  title: string;
  /** Buttons beside the heading, the primary one last. */
  actions?: ReactNode;
  /** One line below the heading. */
  note?: ReactNode;
  children: ReactNode;
}

/** Frame of every screen: heading with buttons, and content. */
export function Page({ title, actions, note, children }: PageProps) {
  const { name } = useSite();
  useEffect(() => {
    document.title = `${title} – ${name}`;
  }, [title, name]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {note && <p className="page-note">{note}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Placeholder for a page that is loading. */
export function PageLoading() {
  return (
    <div role="status" aria-label={t('loading')}>
      <div className="shape shape-title" />
      <div className="shape" />
      <div className="shape" />
      <div className="shape" />
    </div>
  );
}
