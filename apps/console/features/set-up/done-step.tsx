import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSite } from '../../data/account.ts';
import { Icon } from '../../ui/icon.tsx';
import './set-up.css';
import { t } from './routes.ts';

/** Where to go from here. */
export function DoneStep() {
  const { url } = useSite();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step" ref={heading} tabIndex={-1}>
        {t('done')}
      </h2>
      <ul className="cards">
        <li className="card">
          <a href={url}>{t('done.page')}</a>
          <Icon name="right" />
        </li>
        <li className="card">
          <Link to="/settings/embeds">{t('done.embed')}</Link>
          <Icon name="right" />
        </li>
        <li className="card">
          <Link to="/keys">{t('done.door')}</Link>
          <Icon name="right" />
        </li>
      </ul>
      <div>
        <Link to="/" className="button primary">
          {t('done.console')}
        </Link>
      </div>
    </section>
  );
}
