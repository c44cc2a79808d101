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

/** What every screen renders: the heading with its buttons, and the content below. */
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

/** Grey shapes where a page will be. */
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
